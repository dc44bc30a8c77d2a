"""What the process kit itself says, and how a sentence gets its words."""

import logging
import re
from collections.abc import Mapping
from typing import Final

from softrail.core.ports import Prompts

log = logging.getLogger(__name__)

#: Each is the default text of the asset `processes/NAME`.
SENTENCES = {
    "cannot_check": "I can't check that just now.",
    "left_out": "I've left out {label}: it does not apply any more.",
    "given_unusable": "What I was given for {label} I can't use.",
    "cannot_skip": "I can't do without this one.",
    "not_yours": "Only {who} can change {label}.",
    "not_yours_any": "Only {who} can change what is asked for.",
    "nothing_before": "This is the first question.",
    "no_way_back": "There is no question before this one that I can go back to.",
    "cannot_change": "I can't change {label} while I ask this.",
    "noted": "{label}: {value}.",
    "only_the_day": "I took the day; a time has no place there.",
    "time_later": "I took the day; the time I ask for by itself.",
    "changed": "I've changed {label}.",
    "added": "I've added that to {label}.",
    "left_as_it_was": "I've left {label} as it was.",
    "removed": "I've removed that from {label}.",
    "nothing_changed": "There is nothing to take back.",
    "taken_back": "All right, that is taken back.",
    "cleared": "I've cleared that. From the beginning:",
    "holds_more": "“{item}” is more than that. “Remove {n} from {label}” takes all of it out, “change {label} to …” keeps a part.",
    "not_found": "I could not find that in what you told me.",
    "which_field": "To which of these: {labels}?",
    "what_to_change": "What should I change? For example: “change {label} to …”.",
    "goes_back": "So far I have noted {told}",
    "still_right": "So far I have noted {told} Is that still right?",
    "say_yes": "Say “yes” when it is right, or tell me what to change.",
    "still_missing": "I still need: {labels}.",
    "declined": "All right. You can ask for {title} at any time.",
    "summary": "Here is what I have:\n\n{summary}\n\nIs that right?",
    "kept": "I have {summary}.",
    "empty": "I did not get any words.",
    "yes_or_no": "Please answer yes or no.",
    "no_number": "I need a number, like 5.",
    "many_numbers": "I found more than one number; which one is it?",
    "either_number": "Is that {one} or {other}?",
    "bound": "Is it exactly {value}?",
    "overheard": "I think you have told me that already: is it {value}?",
    "overheard_either": "I think you have told me that already: is it {one} or {other}?",
    "later": "I'll come back to that.",
    "no_place": "I have no place for “{words}” there, so that is not kept.",
    "left_aside": "Not {value}, then. What is it instead?",
    "whole_number": "I need a whole number.",
    "nearly": "That makes {exact} {unit}, and I need a whole number. Is it {value}?",
    "other_unit": "I need that in {unit}.",
    "big_number": "That number is too long for me.",
    "no_date": "I need a date, like “tomorrow”, “next Friday” or 2026-03-01.",
    "many_dates": "I found more than one date; which one is it?",
    "no_such_date": "That day is not in the calendar.",
    "either_date": "Is that {first} or {second}?",
    "day_of_week": "Which day of that week is it?",
    "unclear_day": "I can't tell which day that is. Please write it like 2026-03-01 or March 1.",
    "no_time": "I need a time of day, like “5 pm” or 17:30.",
    "many_times": "I found more than one time; which one is it?",
    "either_time": "Is that {early} or {late}?",
    "unclear_time": "I can't tell morning from evening there. Please write it like “6 pm” or 18:00.",
    "no_moment": "I need a day and a time, like “Friday at 5 pm”.",
    "no_time_yet": "{day}, then. At what time?",
    "many_lengths": "I found more than one length of time; which one is it?",
    "no_unit": "{number} of what: minutes, hours or days?",
    "no_length": "I need a length of time, like “2 hours”.",
    "no_address": "I need an e-mail address, like ada@example.org.",
    "no_link": "I need a web address, like https://example.org.",
    "no_currency": "{amount} of which currency?",
    "no_money": "I need an amount with its currency, like “40 euro”.",
    "file_wanted": "I need a file here; words are not enough.",
    "one_file": "I need one file here, and {count} came. Please send the one that I should take.",
    "file_kind": "I can't take {name}: I need one of these kinds: {kinds}.",
    "file_large": "{name} is too large: it has {size}, and {most} is the most I can take.",
    "file_gone": "{name} is not there any more.",
    "text_wanted": "I need text here.",
    "list_wanted": "I need a list here.",
    "there_twice": "The same is there twice.",
    "value_unfit": "I can't use that: {reason}.",
    "no_option": "Please choose one of these: {options}.",
    "some_options": "Do you mean “{value}”? There are these: {options}.",
    "missing": "I need an answer here.",
    "string_too_short": "That is too short: at least {min_length} characters, please.",
    "string_too_long": "That is too long: at most {max_length} characters, please.",
    "too_short": "That is not enough: at least {min_length}, please.",
    "too_long": "That is too many: at most {max_length}, please.",
    "string_pattern_mismatch": "That does not have the form I need.",
    "form_wanted": "That does not have the form I need: {form}.",
    "greater_than": "It must be more than {gt}.",
    "greater_than_equal": "It must be at least {ge}.",
    "less_than": "It must be less than {lt}.",
    "less_than_equal": "It must be at most {le}.",
    "multiple_of": "It must be a multiple of {multiple_of}.",
    "date_past": "It must be a day in the past.",
    "date_future": "It must be a day in the future.",
    "reason": "{reason}",
    "not_usable": "I can't use that as it is.",
    "nothing": "nothing",
    "none": "none",
    "yes": "yes",
    "no": "no",
    "option_yes": "Yes",
    "option_no": "No",
    "choice_skip": "Skip",
    "choice_done": "That's all",
    "choice_yes": "Looks good",
    "choice_again": "Start over",
}

#: Those that say that the words hold no value of the type at all.
NOTHING_READ: Final = ("no_number", "no_date", "no_time", "no_moment", "no_length", "no_money")

_PLACE = re.compile(r"\{([A-Za-z_][A-Za-z0-9_]*)\}")


def places(text: str) -> tuple[str, ...]:
    """The names of the `{places}` of a sentence, in order."""
    return tuple(dict.fromkeys(_PLACE.findall(text)))


class Wording:
    """Gives sentences their words, and remembers which assets were used."""

    def __init__(self, prompts: Prompts) -> None:
        self._prompts = prompts
        self.used: list[str] = []

    def say(self, name: str, /, **values: str) -> str:
        """A sentence of the kit."""
        return self.render(f"processes/{name}", SENTENCES[name], values)

    def render(self, name: str, default: str, values: Mapping[str, str]) -> str:
        """The asset `name`, or else `default`, each place filled once with text."""
        asset = self._prompts.get(name)
        if asset is not None:
            wanted = places(asset.text)
            if all(place in values for place in wanted):
                self.used.append(asset.ref)
                return self._prompts.render(name, default, **{p: values[p] for p in wanted})
            log.error("Prompt %s wants a place that is not there; its default text is used.", asset.ref)
        # One pass: what a value brings is text, also when it looks like a place.
        return _PLACE.sub(lambda found: values.get(found[1], found[0]), default)
