"""Answers with words of leaving, waiting, asking and refusing in them."""

import random
from collections.abc import Iterator

from training.fields import VALUED
from training.grammar import expand, one, sections
from training.messages import around, cased, framed, mark, pair
from training.pairs import Pair, acts


def hard(rng: random.Random) -> Iterator[Pair]:
    """Answers with words of leaving, waiting, asking and refusing in them."""
    turn = rng.random()
    if turn < 0.6:
        asked = rng.choice(
            [
                f
                for f in VALUED
                if f.told["value"] == "<name>"
                or f.name in ("recipient", "company", "topic", "item", "repository")
            ][:1]
            * 3
            + [f for f in VALUED if f.name in ("company", "topic", "purpose")]
        )
        value = one(rng, "hardname")
    else:
        asked = rng.choice(
            [
                f
                for f in VALUED
                if f.name
                in (
                    "yesterday",
                    "today",
                    "goal",
                    "what",
                    "notes",
                    "problem",
                    "constraints",
                    "opinion",
                    "blockers",
                )
            ]
        )
        word = rng.choice(sections()["leaveword"][:20])
        thing = rng.choice(
            (
                "flow",
                "button",
                "dialog",
                "page",
                "bug",
                "contract",
                "subscription",
                "order",
                "meeting",
                "job",
                "service",
                "feature",
                "sign",
                "poll",
            )
        )
        value = expand(
            rng,
            rng.choice(
                (
                    f"{{finish|fix|test|ship|finished|fixed|wrote|the}} the {word} {thing}",
                    f"{{cancel|stop|quit|leave|skip|pause|exit}} {{my 3pm|the {thing}|the old {thing}|the company}} and {{ship v2|go on with the new one|hire two more|write it up}}",
                    f"{{cancelled|stopped|quit|left|skipped|paused}} the {thing} {{and wrote it up|because it failed|with Ann|early}}",
                    f"I want to {{exit the beta|leave the old {thing}|stop the {thing}|quit smoking|cancel the {thing}|pause the rollout}} by {{May|June|Friday|next year}}",
                    f"{{nobody|no one|nothing}} {{knows how to|can}} {{stop|cancel|leave|exit}} the {thing}",
                    f"the {word} {thing} {{is broken|does not work|crashes|comes too late}}",
                    f"people {{cannot|can't|want to|have to}} {{stop|quit|leave|cancel|wait for|skip}} the {thing}",
                    f"help {{people|users|teachers}} {{stop|quit|leave|skip}} {{smoking|meetings|their job|sugar|the {thing}}}",
                    f"no more {{meetings|paper|{thing}s|sugar}}",
                    f"{{talk|talked|talking}} to a human about the {thing}",
                    "waiting for a person from {support|legal|sales}",
                )
            ),
        )
        if asked.name == "goal":
            value = value.removeprefix("I want to ")
    own = asked.says
    text = mark(cased(rng, value))
    if rng.random() < 0.5:
        text = framed(rng, asked, cased(rng, value)) if own else text
    yield pair(
        rng,
        asked.question(rng),
        around(rng, text, 0.12, 0.12),
        acts("inform", unknown=("social",)),
        1,
        label="hard",
        form=asked.form,
    )
