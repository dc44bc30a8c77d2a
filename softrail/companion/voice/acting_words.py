"""What is said of projects without a language model: one text per outcome."""

from collections.abc import Mapping, Sequence
from typing import Any

from softrail.companion.voice.persona import Voice


def projects(voice: Voice, found: Mapping[str, Any]) -> str:
    """The person's projects, one a line."""
    lines = []
    for one in found["projects"]:
        kind = "_archived" if one["archived"] else "_here" if one["here"] else ""
        lines.append(voice.text(f"replies/project_line{kind}", project=one["name"]))
    return _with_more(voice, voice.text("replies/projects", projects="\n".join(lines)), found)


def described(voice: Voice, found: Mapping[str, Any]) -> str:
    """What a project is and holds."""
    told: Mapping[str, str] = found["told"]
    holds = _many(found["saved_notes"], "saved note")
    if found["waiting_notes"]:
        holds += f", {_many(found['waiting_notes'], 'waiting note')}"
    holds += f" and {_many(found['files'], 'file')}"
    what = found["description"] or told.get("what it is", "")
    if not (what or told):
        text = voice.text("replies/described_bare", project=found["project"], holds=holds)
    else:
        lines = "\n".join(f"- {label}: {text}" for label, text in told.items() if text != what)
        text = voice.text(
            "replies/described", project=found["project"], description=what, told=lines, holds=holds
        )
    if found["archived"]:
        text = f"{text} {voice.text('replies/is_archived', project=found['project'])}"
    return text.replace("\n\n", "\n")


def summarised(voice: Voice, found: Mapping[str, Any]) -> str:
    """What a project is, what its notes are about, and the newest of them."""
    more = []
    if found["groups"]:
        groups = "; ".join(f"{one['label']} ({one['count']})" for one in found["groups"])
        more.append(voice.text("replies/summary_groups", groups=groups))
    if found["newest"]:
        more.append(voice.text("replies/summary_newest", notes=note_lines(voice, found["newest"])))
    return voice.text("replies/summarised", described=described(voice, found), more="\n".join(more)).rstrip()


def members(voice: Voice, found: Mapping[str, Any]) -> str:
    """Who is in a project."""
    people = found["members"]
    if len(people) == 1:
        return voice.text("replies/members_alone", project=found["project"])
    lines = [voice.text("replies/member_line", name=one["name"], role=one["role"]) for one in people]
    text = voice.text("replies/members", project=found["project"], members="\n".join(lines))
    return _with_more(voice, text, found)


def searched(voice: Voice, found: Mapping[str, Any]) -> str:
    """The notes that were found."""
    if not found["notes"]:
        return voice.text("replies/found_none", project=found["project"])
    return voice.text("replies/found", project=found["project"], notes=note_lines(voice, found["notes"]))


def note_lines(voice: Voice, notes: Sequence[Mapping[str, Any]]) -> str:
    """A line for each note: its number, whether it waits, its text."""
    return "\n".join(
        voice.text(
            "replies/note_line_waiting" if note["state"] == "waiting" else "replies/note_line",
            number=str(note["number"]),
            text=note["text"],
        )
        for note in notes
    )


def _with_more(voice: Voice, text: str, found: Mapping[str, Any]) -> str:
    more = int(found["more"])
    return f"{text}\n{voice.text('replies/past_input_more', count=str(more))}" if more else text


def _many(count: int, what: str) -> str:
    return f"{count} {what}" if count == 1 else f"{count} {what}s"


def grouping_begun(voice: Voice, found: Mapping[str, Any]) -> str:
    """The words for what `organise` did."""
    if not found["allowed"]:
        return voice.text("replies/view_only", project=found["project"])
    name = "organise_begun" if found["notes"] else "organise_nothing"
    return voice.text(f"replies/{name}", project=found["project"])


def groups_shown(voice: Voice, found: Mapping[str, Any]) -> str:
    """The words for what `show` found."""
    project, groups = found["project"], found["groups"]
    if not groups:
        name = "groups_being_made" if found["being_made"] else "groups_none"
        return voice.text(f"replies/{name}", project=project)
    lines = group_lines(voice, groups)
    if found["more"]:
        lines.append(voice.text("replies/past_input_more", count=str(found["more"])))
    return voice.text("replies/groups", project=project, groups="\n".join(lines))


def group_lines(voice: Voice, groups: Sequence[Mapping[str, Any]]) -> list[str]:
    """Groups with the numbers of their notes, a line each."""
    return [
        voice.text(
            "replies/group_line",
            label=group["label"],
            numbers=", ".join(f"#{number}" for number in group["notes"]),
        )
        for group in groups
    ]
