"""Programs over a flat table: a small typed language, its executor, and its printers.

The operators are those that Neural Symbolic Machines uses on WikiTableQuestions (Liang et al. 2018, *Memory
Augmented Policy Optimization*, appendix): a program is a list of steps, each of which takes what earlier ones
left. It can be read in words and in code, edited, and run on any table without a parser.
"""
