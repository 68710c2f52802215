"""Why a system says what it says: what each header level and each word of the question contributed."""

from qa_core.attribution.lead import Lead, lead_of
from qa_core.attribution.occlusion import Attribution, Contribution, attribute
from qa_core.attribution.parts import HeaderPart, WordPart, header_parts, word_parts

__all__ = [
    "Attribution",
    "Contribution",
    "HeaderPart",
    "Lead",
    "WordPart",
    "attribute",
    "header_parts",
    "lead_of",
    "word_parts",
]
