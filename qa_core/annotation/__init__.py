"""Writing questions for tables as the authors of AIT-QA did (Katsis et al. 2022, appendix A).

One person writes a question by its answer cell (``annotation``), sentences say at once what is odd about it
(``checks``), a second person reads and judges it (``review``), how far the two agree is measured
(``agreement``), and what was accepted becomes a folder in the AIT-QA format (``export``).
"""
