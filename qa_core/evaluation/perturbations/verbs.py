"""Transitive verbs of reports and their participles; a question in the passive needs both."""

from __future__ import annotations

_REGULAR = [
    "report", "record", "disclose", "post", "earn", "generate", "purchase", "repurchase", "acquire", "own",
    "lease", "operate", "issue", "collect", "receive", "incur", "recognize", "recognise", "achieve",
    "declare", "deliver", "produce", "consume", "use", "employ", "contribute", "invest", "add", "allocate",
    "book", "state", "list", "present", "serve", "burn", "borrow", "owe", "transport", "charge", "save",
    "return", "raise", "release", "realize", "realise", "retire", "recover", "register", "expect", "assume",
    "grant", "award", "allow", "close", "open", "retain", "name",
]  # fmt: skip
_IRREGULAR = {
    "pay": "paid", "spend": "spent", "sell": "sold", "buy": "bought", "make": "made", "hold": "held",
    "carry": "carried", "fly": "flown", "lose": "lost", "lend": "lent", "repay": "repaid",
    "show": "shown", "put": "put", "set": "set", "write off": "written off", "write down": "written down",
    "pay out": "paid out", "pay down": "paid down", "pay back": "paid back", "buy back": "bought back",
    "set aside": "set aside", "bring in": "brought in", "take in": "taken in", "give": "given",
    "defer": "deferred", "submit": "submitted", "transfer": "transferred", "ship": "shipped",
}  # fmt: skip


def _participle(base: str) -> str:
    if base.endswith("e"):
        return base + "d"
    if base.endswith("y") and base[-2] not in "aeiou":
        return base[:-1] + "ied"
    return base + "ed"


PARTICIPLES: dict[str, str] = {verb: _participle(verb) for verb in _REGULAR} | _IRREGULAR
"""Participles by base form; a verb with a particle ("buy back") is an entry of its own."""
BASES: dict[str, str] = {participle: base for base, participle in PARTICIPLES.items()}
