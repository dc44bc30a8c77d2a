"""What the companion says without a language model: dry, correct, useful; one text per intent and outcome."""

from collections.abc import Mapping, Sequence
from typing import Any

from softrail.companion import catalogue
from softrail.companion.memory.values import listed
from softrail.companion.voice import acting_words
from softrail.companion.voice.acting_words import note_lines
from softrail.companion.voice.persona import Voice

_SHOWN = 5  #: matters of one kind that are named; the rest are counted
_QUOTED = 600  #: characters of a note that are read back


def reply(voice: Voice, intent: str, data: Mapping[str, Any]) -> str | None:
    """The words for what a handler found or did; None when this intent is not one of ours."""
    found = data.get("operation_data") or {}
    if data.get("is_stub"):
        return (
            voice.text(f"replies/{intent}") if voice.has(f"replies/{intent}") else data.get("stub_guidance")
        )
    if not found:
        return None
    tell = {
        catalogue.ADD: _noted,
        catalogue.SAVE: _saved,
        catalogue.PAST: _past,
        catalogue.PROGRESS: _progress,
        catalogue.LEFT_OFF: _progress,
        catalogue.DOWNLOAD: _download,
        catalogue.LIST: acting_words.projects,
        catalogue.DESCRIBE: acting_words.described,
        catalogue.SUMMARISE: acting_words.summarised,
        catalogue.MEMBERS: acting_words.members,
        catalogue.SEARCH: acting_words.searched,
        catalogue.ORGANISE.name: acting_words.grouping_begun,
        catalogue.SHOW.name: acting_words.groups_shown,
    }.get(intent)
    return tell(voice, found) if tell is not None else None


def _noted(voice: Voice, found: Mapping[str, Any]) -> str:
    if found.get("state") == "saved":
        return voice.text(
            "replies/note_saved_one", numbers=str(found["note_number"]), project=found["project"]
        )
    short = _short(str(found["knowledge_text"]))
    return voice.text("replies/add_knowledge", project=found["project"], knowledge_text=short)


def _short(text: str) -> str:
    return text if len(text) <= _QUOTED else f"{text[:_QUOTED].rstrip()}…"


def _saved(voice: Voice, found: Mapping[str, Any]) -> str:
    if (text := found.get("knowledge_text")) is not None:
        numbers: Sequence[int] = found["numbers"]
        return voice.text(
            "replies/note_changed_one",
            numbers=str(numbers[0]),
            project=found["project"],
            knowledge_text=_short(text),
        )
    told = [
        voice.text(
            f"replies/note_{change['state']}_{'one' if len(change['numbers']) == 1 else 'many'}",
            numbers=str(change["numbers"][0]) if len(change["numbers"]) == 1 else listed(change["numbers"]),
            project=found["project"],
        )
        for change in found["changes"]
    ]
    if waiting := found["still_waiting"]:
        told.append(voice.text("replies/still_waiting", numbers=listed(waiting)))
    return " ".join(told)


def _past(voice: Voice, found: Mapping[str, Any]) -> str:
    project, topic = found["project"], found.get("topic")
    notes: Sequence[Mapping[str, Any]] = found["notes"]
    if not notes and found["not_there"]:
        return voice.text("replies/no_such_note", numbers=listed(found["not_there"]), project=project)
    if not notes:
        none = "past_input_none" if found["may_tell"] else "past_input_no_notes"
        return voice.text(f"replies/{none}", project=project)
    if found["answers"] or found["may_answer"]:
        name = "past_input_answers" if found["answers"] else "past_input_asked"
        return voice.text(f"replies/{name}", project=project, notes=note_lines(voice, notes))
    on_topic = found.get("on_topic")
    shown = notes[:on_topic] if on_topic else notes
    if topic and not on_topic:
        text = voice.text(
            "replies/past_input_no_match", topic=topic, project=project, notes=note_lines(voice, shown)
        )
    else:
        text = _by_teller(voice, shown, project, topic)
    more = int(found["more"]) + len(notes) - len(shown)
    rest = "replies/past_input_others" if topic and on_topic else "replies/past_input_more"
    return f"{text}\n{voice.text(rest, count=str(more))}" if more else text


def _by_teller(voice: Voice, notes: Sequence[Mapping[str, Any]], project: str, topic: str | None) -> str:
    """Notes below the name of who told them: what the person told first, then what others did."""
    about = {"project": project, **({"topic": topic} if topic else {})}
    name = "replies/past_input_topic" if topic else "replies/past_input"
    own = [note for note in notes if note["told_by_them"]]
    parts = [voice.text(name, notes=note_lines(voice, own), **about)] if own else []
    if not own and not topic:
        parts = [voice.text("replies/past_input_not_yours", project=project)]
    others: dict[str, list[Mapping[str, Any]]] = {}
    for note in notes:
        if not note["told_by_them"]:
            others.setdefault(note["told_by"] or "", []).append(note)
    for teller, told in others.items():
        who = teller or voice.text("replies/somebody")
        parts.append(voice.text(f"{name}_by", name=who, notes=note_lines(voice, told), **about))
    return "\n\n".join(parts)


def _progress(voice: Voice, found: Mapping[str, Any]) -> str:
    active, needs_you = found["active_jobs"], found["needs_attention"]
    recent = [*found["recent_artifacts"], *found["recent_activity"]]
    recent.sort(key=lambda matter: str(matter["at"]), reverse=True)
    if not (active or needs_you or recent):
        summary = voice.text("replies/progress_nothing", since=found["since"])
        return voice.text("replies/progress", project=found["project"], summary=summary)
    parts = [
        voice.text(f"replies/progress_{name}", items=_listed(matters))
        for name, matters in (("active", active), ("needs_you", needs_you), ("recent", recent))
        if matters
    ]
    quiet = "_".join(name for name, matters in (("idle", active), ("free", needs_you)) if not matters)
    if quiet:
        parts.insert(len(parts) - bool(recent), voice.text(f"replies/progress_{quiet}"))
    return voice.text("replies/progress", project=found["project"], summary=" ".join(parts))


def _download(voice: Voice, found: Mapping[str, Any]) -> str:
    titles = [str(artifact["title"]) for artifact in found["artifacts"]]
    listed = ", ".join(f"“{title}”" for title in titles)
    if found["match"] == "unique":
        return voice.text("replies/download_unique", title=titles[0])
    if found["match"] == "ambiguous":
        return voice.text("replies/download_ambiguous", titles=listed)
    if not titles:
        return voice.text("replies/download_empty", project=found["project"])
    if found.get("any_wanted"):
        return voice.text("replies/download_list", project=found["project"], titles=listed)
    return voice.text("replies/download_none", project=found["project"], titles=listed)


def _listed(matters: Sequence[Mapping[str, Any]]) -> str:
    named = [_matter(matter) for matter in matters[:_SHOWN]]
    rest = len(matters) - len(named)
    return "; ".join([*named, f"and {rest} more"] if rest else named)


def _matter(matter: Mapping[str, Any]) -> str:
    """One thing by what it is: a note by its number, a file by its title."""
    title = matter["title"]
    named = {
        "waiting_note": f"note #{matter['ref']} waits: “{title}”",
        "note": f"note #{matter['ref']}, “{title}”",
        "artifact": f"the file “{title}”",
        "project": "the project was created",
        "question": f"a question, “{title}”",
        "approval": f"a question, “{title}”",
    }
    return named.get(str(matter["kind"]), str(title))
