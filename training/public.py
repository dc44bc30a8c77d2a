"""Pairs from other public lines: restaurant callers, bank customers, and intent sets."""

import random
import re
from collections.abc import Iterator

from softrail.reader.learned.questions import query
from training.pairs import Pair, acts, rows

_ASKS = re.compile(
    r"(?:(?:hey|hi|so|ok|okay|and|but|please|also|um|well)\W+)*(?:what|who|whom|whose|where|when|why|how|which|is|are|am|was|were|do|does"
    r"|did|has|have|will|would it|should|what's|whats|how's|who's|where's|when's|isn't|doesn't)\b",
    re.IGNORECASE,
)
_WISHES = re.compile(
    r"(?:can|could|would|will) (?:you|u|i|we)\b|please\b|i(?:'d| would) like|tell me|let me know",
    re.IGNORECASE,
)


def asking(text: str) -> bool:
    """Whether it is put as a question."""
    return bool(_ASKS.match(text)) or (text.rstrip().endswith("?") and not _WISHES.search(text))


def wanting(text: str) -> dict[str, int]:
    """The acts of a message that has nothing to do with what was asked: a question, or a wish."""
    if asking(text):
        return acts("ask", unknown=("request",))
    if _WISHES.search(text) or text.rstrip().endswith("?"):
        return acts("request", unknown=("ask",))
    return acts("request")


ASKED = {
    "first_name": (
        "text",
        ("What's your first name?", "the first name of the guest", "first name", "Under which first name?"),
    ),
    "last_name": (
        "text",
        ("And your last name?", "last name of the guest", "family name", "What is your surname?", "surname"),
    ),
    "date": (
        "date",
        (
            "For what day should the table be booked?",
            "What date?",
            "day of the booking",
            "Which day?",
            "date",
        ),
    ),
    "time": (
        "time",
        (
            "At what time?",
            "For what time should it be?",
            "time of the booking",
            "What time suits you?",
            "time",
        ),
    ),
    "people": (
        "number",
        (
            "How many people?",
            "party size",
            "For how many people?",
            "number of guests",
            "How many will you be?",
        ),
    ),
}


def restaurants() -> Iterator[Pair]:
    """People calling a restaurant."""
    rng = random.Random(2)
    for row in rows("polyai/restaurants8k.jsonl.xz"):
        spans = {name: tuple(span) for name, span in row["spans"].items()}
        for name, (kind, ways) in ASKED.items():
            opened = row["asked"] == [name]
            if name not in spans and not opened and rng.random() < 0.6:
                continue
            known: dict[str, int] = {}
            if opened and name in spans:
                present = ("inform", "inform_other") if len(spans) > 1 else ("inform",)
                known = acts(*present, unknown=("hold", "social", "correct", "request", "affirm"))
            yield Pair(
                query=query(kind, rng.choice(ways)),
                message=row["message"],
                value=int(name in spans),
                spans=(spans[name],) if name in spans else (),
                acts=known,
                source="r8k",
                label="given" if name in spans else "absent",
            )


_OFFERS = (
    "Shall I go on with that?",
    "Is that right?",
    "Shall I do that for you?",
    "Do you want me to continue?",
    "Is this correct?",
    "Would you like that?",
    "Shall we start?",
    "Anything else?",
    "Is this what you want?",
    "Does it look right?",
)


def bank(ask: list[str]) -> Iterator[Pair]:
    """Customers of a bank, by what their words do in general."""
    rng = random.Random(3)
    for row in rows("polyai/nlupp_banking.jsonl.xz"):
        labels, message = set(row["labels"]), row["message"]
        present: set[str] = set()
        for label, act in (
            ("affirm", "affirm"),
            ("deny", "negate"),
            ("dont_know", "open"),
            ("handoff", "human"),
            ("repeat", "repeat"),
            ("greet", "social"),
            ("thank", "social"),
            ("end_call", "leave"),
        ):
            if label in labels:
                present.add(act)
        topical = labels - {
            "affirm",
            "deny",
            "dont_know",
            "handoff",
            "repeat",
            "greet",
            "thank",
            "end_call",
            "acknowledge",
            "why",
            "how",
            "when",
        }
        if topical:
            present |= {act for act, there in wanting(message).items() if there}
        if not present:
            continue
        unknown = (
            {"ask", "request", "hold", "inform", "inform_other", "none", "correct"}
            if topical
            else {"hold", "none", "pause", "leave"}
        )
        yes = present & {"affirm", "negate"}
        asked = (
            query("bool" if rng.random() < 0.6 else "confirm", rng.choice(_OFFERS))
            if yes
            else rng.choice(ask)
        )
        yield Pair(
            query=asked,
            message=message,
            value=1 if yes else (None if topical and row["spans"] else 0),
            acts=acts(*present, unknown=unknown - present),
            source="nlupp",
            label="+".join(sorted(present)),
        )


_GENERIC = {
    "yes": "affirm",
    "no": "negate",
    "maybe": "open",
    "repeat": "repeat",
    "goodbye": "social",
    "greeting": "social",
    "thank_you": "social",
    "what_can_i_ask_you": "ask",
    "are_you_a_bot": "ask",
    "general_affirm": "social",
    "general_praise": "social",
    "general_negate": "",
    "general_commandstop": "leave",
    "general_confirm": "",
    "general_dontcare": "open",
    "general_explain": "ask",
    "general_repeat": "repeat",
    "general_joke": "request",
    "cancel": "leave",
    "general_quirky": "",
    "tell_joke": "request",
    "meaning_of_life": "ask",
    "what_is_your_name": "ask",
    "how_old_are_you": "ask",
    "what_are_your_hobbies": "ask",
    "where_are_you_from": "ask",
    "user_name": "ask",
    "change_user_name": "",
    "transfer": "",
}


def intents(ask: list[str], name: str = "", *, seed: int = 4) -> Iterator[Pair]:
    """Short messages to assistants, said in place of an answer to something else."""
    rng = random.Random(seed)
    for which in ("clinc150", "hwu64", "banking77"):
        for row in rows(f"intents/{which}{name}.jsonl.xz"):
            text, label = _case(rng, row["text"]), row["label"]
            act = _GENERIC.get(label, "request")
            if not act:
                continue
            asked = rng.choice(ask)
            if act in ("affirm", "negate"):
                yield Pair(
                    query=query(rng.choice(("bool", "confirm")), rng.choice(_OFFERS)),
                    message=text,
                    value=1,
                    acts=acts(act, unknown=("social", "open", "ask")),
                    source=which,
                    label=act,
                )
                continue
            known = (
                wanting(text)
                if act == "request"
                else acts(
                    act,
                    unknown={
                        "social": ("leave", "pause", "ask"),
                        "leave": ("pause", "negate", "request", "social"),
                        "open": ("affirm", "none", "negate"),
                        "repeat": ("ask", "hold"),
                        "ask": ("social", "request"),
                    }.get(act, ()),
                )
            )
            kind = asked.split(":", 1)[0]
            if act == "open" and label == "maybe" and kind not in ("bool", "confirm"):
                asked = query("bool", rng.choice(_OFFERS))
            yield Pair(query=asked, message=text, value=0, acts=known, source=which, label=act)


def _case(rng: random.Random, text: str) -> str:
    """The sets are in lower case; half of the lines get a capital and a stop."""
    if rng.random() < 0.5:
        return text
    text = text[:1].upper() + text[1:]
    text = re.sub(r"\bi\b", "I", text)
    if text[-1].isalnum():
        text += "?" if asking(text) else rng.choice((".", "!", "", "."))
    return text
