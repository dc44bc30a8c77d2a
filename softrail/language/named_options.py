"""Options that are called by their names in a message that says more than them: "the church, the dinner and the dancing"."""

from collections.abc import Iterable, Iterator, Sequence
from operator import itemgetter

from softrail.core.questions import Option
from softrail.language.language import Language
from softrail.language.several import Token, tokens
from softrail.language.text import READ_AT_MOST, spoken


def options_named(message: str, options: Sequence[Option], *, language: Language) -> tuple[Option, ...]:
    """Those options that stand in a message by their names, in the order said, whatever else it says.

    None where a clause may leave one out, or where it speaks of all of them: nobody can tell then which are meant.
    """
    if len(message) > READ_AT_MOST or message.rstrip().endswith("?"):
        return ()
    found: list[Option] = []
    names = [(option, [word.key for word in spoken(option.label).words]) for option in options]
    for clause in _clauses(tokens(message, options, language)):
        kinds = {token.kind for token in clause}
        keys = [word.key for token in clause for word in spoken(token.text).words]
        here = [(at, option) for option, name in names if (at := _place_of(name, keys, language)) is not None]
        if kinds & {"all", "rest", "to"} or (here and kinds & {"not", "but", "except"}):
            return ()
        if here and language.speaks_ill(" ".join(keys)):
            return ()
        found += [option for _, option in sorted(here, key=itemgetter(0))]
    return tuple(dict.fromkeys(found))


def speaks_of_options(message: str, options: Sequence[Option], *, language: Language) -> bool:
    """It names one of them, or all, or the rest of them."""
    keys = [word.key for word in spoken(message).words]
    names = ([word.key for word in spoken(option.label).words] for option in options)
    named = any(_place_of(name, keys, language) is not None for name in names)
    return named or any(
        token.kind in ("option", "all", "rest") for token in tokens(message, options, language)
    )


def _clauses(found: Iterable[Token]) -> Iterator[list[Token]]:
    clause: list[Token] = []
    for token in found:
        if token.kind != "stop":
            clause.append(token)
            continue
        yield clause
        clause = []
    yield clause


def _place_of(name: Sequence[str], keys: Sequence[str], language: Language) -> int | None:
    """Where those words stand, be they one of it or many: "the group photo" of "group photos"."""

    def alike(said: str, own: str) -> bool:
        return language.is_plural(said, own) or language.is_plural(own, said)

    size = len(name)
    found = (at for at in range(len(keys) - size + 1) if all(map(alike, keys[at : at + size], name)))
    return next(found, None)
