"""What the registry itself says. Each is the default text of the asset `registry/NAME`."""

from typing import Final

from softrail.core.ports import Prompts
from softrail.processes.sentences import places

TOLD_BEFORE: Final = "told_before"
SO_FAR: Final = "so_far"
MEANS: Final = "means"

SENTENCES = {
    "paused": "Okay, {process} is paused and nothing is lost. Say “resume” to pick it up again.",
    "paused_kept": "Okay, {process} is paused. {kept} Say “resume” to pick it up again.",
    "paused_for_this": "I've paused {process}; say “resume” to come back to it.",
    "closed": "Okay, I've stopped {process}.",
    "closed_kept": "Okay, I've stopped {process}. What you told me for it is set aside and will not be used; "
    "say “undo” right away to bring it back.",
    "closed_nothing_kept": "Okay, I've stopped {process}. Nothing was saved.",
    "older_set_aside": "The earlier run of {process} is set aside.",
    "switched": "I've paused {process} to do that; say “resume” to come back to it.",
    "offer": "Would you like to start {process}?",
    "declined": "No problem. Say “{again}” whenever you want to.",
    "declined_plainly": "No problem. You can ask for {process} at any time.",
    "question_over": "That question is not open any more.",
    "resume_offer": "You were {doing}. Continue?",
    "resume_offer_kept": "You were {doing}: {kept} Continue?",
    "left_stopped": "You were {doing}, and we stopped. Say “{again}” to begin anew.",
    "left_done": "We finished {process}; nothing of it is open.",
    "expired": "We paused {process} too long ago: it has ended, and what you told me for it is not used any more. "
    "Say “{again}” to begin anew.",
    "resume_elsewhere": "We still have {process} open in another conversation. Continue it here?",
    "resume_elsewhere_kept": "We still have {process} open in another conversation. {kept} Continue it here?",
    "resume_declined": "All right, I won't bring up {process} again.",
    "offer_again": "I was asking: {question}",
    "stale": "That question is no longer open, so I have done nothing with your answer.",
    "no_value": "That question takes words, or one of its options, and no value.",
    "no_file": "I am not asking for a file just now. I keep {names} in this conversation.",
    "file_gone": "That file is not there any more. Please send it again.",
    "file_kept": "I did not need {names} for that. I keep what you sent in this conversation.",
    "resumed": "Back to {process}.",
    "comes_back": "Let's go on with {process}.",
    "part_asked": "Asked another person for {process}",
    "part_passed_on": "There was no answer yet, so I have asked somebody else.",
    "part_offer": "{who} asks you for {process}. Shall we do it now?",
    "part_later": "All right, it stays open. Ask for {process} whenever it suits you.",
    "part_declined": "All right. {who} will hear that you decline.",
    "part_void": "{who} does not need you for {process} any more.",
    "waits": "{process} goes on by itself as soon as there is news.",
    "not_under_way": "That is for {process}, which is not under way.",
    "not_under_way_paused": "That is for {process}, which is paused. Say “resume” to pick it up again.",
    "nothing_for_that": "There is nothing in {process} to do that with just now.",
    "signal_gave_up": "Something happened that I could not deal with, and I have noted it.",
    "resumed_late": "Picking up {process} from {when}.",
    "undone": "Taken back. We're in {process} again.",
    "nothing_to_leave": "Nothing is under way that I could stop.",
    "waits_on": "Nothing is asked just now, but {process} is still under way. Say “cancel {process}” to end it.",
    "cancel": "Cancel {process}",
    "nothing_to_undo": "There is nothing to take back.",
    "nothing_to_resume": "That is not paused, so there is nothing to pick up.",
    "nothing_to_reset": "There is nothing under way to start over.",
    "restarted": "Starting {process} over.",
    "greeted": "Hello.",
    "tell_me": "Tell me, then.",
    "repeat": "Here is my question again.",
    "hold": "Take your time.",
    "social": "I hear you.",
    "not_understood": "I did not understand that. You can answer, say “skip” or “back”, or “stop” to pause.",
    "wants_file": "I need a file here; words are not enough. You can also say “skip” or “back”, or “stop” to pause.",
    "choose": "Please choose one of these: {what}.",
    "explained": "That I can't answer here. What I ask for is {what}.",
    MEANS: "{what}.",
    TOLD_BEFORE: "This is what you told me: {what}.",
    SO_FAR: "This is what you have told me so far:\n\n{what}",
    "nothing_so_far": "You have told me nothing for {process} yet.",
    "aside": "I have no answer to that here.",
    "human": "You can reach a person here: {people}",
    "handed_over": "I have asked for a person, who gets what was said here.",
    "no_human": "I am a program, and there is no person here whom I could hand you over to.",
    "doubt": "I am not sure that I understood “{said}”. Is that {label}?",
    "doubt_or_pause": "Is “{said}” {label}, or shall I pause {process}?",
    "doubt_or_note": "Is “{said}” {label}, or shall I keep it as a note?",
    "doubt_note": "Keep it as a note",
    "note": "Shall I keep that as a note: “{said}”?",
    "note_note": "Yes",
    "note_neither": "No",
    "told_which": "Does that belong here, or shall I keep it as a note? {changes}",
    "consent": "Is “{said}” a yes or a no?",
    "consent_or_pause": "Is “{said}” a yes or a no, or shall I pause {process}?",
    "consent_yes": "Yes",
    "consent_no": "No",
    "consent_pause": "Pause {process}",
    "none": "Does “{said}” mean none?",
    "none_none": "None",
    "none_neither": "No",
    "left_out": "Shall I go on without {label}, or pause {process}?",
    "left_out_none": "Go on without it",
    "left_out_pause": "Pause {process}",
    "left_out_neither": "Neither",
    "nearest": "Is that {likely}? If not, please choose one of these: {others}.",
    "nearest_two": "Is that {likely} or {following}? If not, please choose one of these: {others}.",
    "either": "Is that {likely} or {following}?",
    "meant": "Did you mean “{said}”?",
    "meant_answer": "Yes",
    "meant_neither": "No",
    "change": "I am not sure what is to change. Is it this: {what}?",
    "change_which": "I am not sure what is to change. Which of these is it: {changes}?",
    "where": "Shall I note this? {what}",
    "where_which": "Where does that belong? {changes}",
    "where_either": "Which of these is it? {changes}",
    "where_beside": "Where does “{said}” belong? {changes}",
    "change_to": "{label}: {new} instead of {old}",
    "change_first": "{label}: {new}",
    "change_adds": "{label}: {new} as well",
    "change_without": "{label} without {old}",
    "change_anew": "{label}: something else than {old}",
    "change_neither": "None of these",
    "refused": "Shall I pause {process}, or is something to change?",
    "refused_no": "Change something",
    "refused_pause": "Pause {process}",
    "escape": "Is “{said}” a yes, or shall I pause {process}?",
    "escape_yes": "Yes",
    "escape_pause": "Pause {process}",
    "needed": "I can't go on without {label}. Shall I pause {process} until you have it?",
    "doubt_answer": "It is {label}",
    "doubt_none": "None",
    "doubt_pause": "Pause {process}",
    "doubt_ask": "It is a question",
    "needed_pause": "Pause {process}",
    "doubt_request": "It is something else",
    "doubt_neither": "Neither",
    "needed_neither": "Go on",
    "already_in": "We are in the middle of {process}.",
    "its_turn": "I'll come to {process} once {holder} is over.",
    "trouble": "Something went wrong on my side, and your last message was not used. {question}",
    "trouble_way_out": "I can't get {process} to work right now, so I've paused it with everything you said. "
    "Say “resume” to try again later.",
    "failed_process": "I can't read where we were in {process} any more, so I've closed it. "
    "Nothing else is affected.",
    "gone_process": "I can't go on with {process} at the moment. I've put it aside with everything you said; "
    "say “resume” when it is back.",
    "new_version": "There is a new version of {process}, so we start it afresh.",
    "migrated": "There is a new version of {process}. What you said is kept.",
    "interrupted": "I stopped that before it was finished; nothing was changed.",
    "gave_up": "I tried to answer this several times and failed each time, so I stopped. Nothing was changed. "
    "Send it again and I will try again.",
    "not_saved": "I could not save that: {reason}. Nothing was changed.",
    "left_over": "I haven't acted on this yet: {messages}. Say it again when you like.",
    "internal": "Something went wrong on my side. Nothing was changed. Please try again.",
    "lapsed_question": "Never mind that question, then.",
    "help": "You can just talk to me. {can}{holding}Commands: {commands}.",
    "help_can": "You can also ask for: {names}. ",
    "help_holding": "We are in {process}; “stop” pauses it. ",
    "how_to_leave": "Say “stop” or /stop: that pauses {process} with everything you said, and “resume” brings it back.",
    "how_to_leave_nothing": "Nothing is under way that could be stopped. While something is, “stop” pauses it.",
    "status_idle": "Nothing is under way.",
    "status_holding": "We are in {process}, at {step}.",
    "status_paused": "Paused: {names}.",
    "status_pending": "Open question: {question}",
    "why_none": "There is no earlier turn to explain.",
    "why": "Your last message went to {owner}. {why}",
    "reset": "There is nothing to reset. Your conversation stays as it is.",
    "goodbye": "Goodbye. Everything is kept; just write when you want to go on.",
    "unknown_command": "There is no command /{name}. Did you mean /{nearest}?",
    "way_skip": "Skip",
    "way_skip_said": "skip",
    "way_back": "Go back",
    "way_back_said": "go back",
    "way_pause": "Pause",
    "way_pause_said": "stop",
    "way_leave": "Leave",
    "way_leave_said": "forget it",
    "way_start_over": "Start over",
    "way_start_over_said": "start over",
    "way_resume": "Resume",
    "way_resume_said": "resume",
    "way_undo": "Undo",
    "way_undo_said": "undo",
    "clarify_ambiguous": "I can read that in two ways. Which did you mean?",
    "clarify_near": "I am not sure what you would like. Is it one of these?",
    "clarify_other": "Something else",
    "clarify_unsure": "That would change something, and I am not sure I read you right. Is this what you meant?",
    "clarify_vague": "I need one more thing before I can do that: {missing}?",
    "clarify_gave_up": "I can't use “{said}” for that either, so I've let it go. Nothing was changed.",
    "clarify_unusable": "I can't use “{said}” for that. I still need: {missing}.",
}


class Sentences:
    """The registry's own words, each replaceable by a text asset of the same name."""

    def __init__(self, prompts: Prompts) -> None:
        self._prompts = prompts
        self._whole: dict[str, str] = {}  #: those without places, which every turn says some of

    def say(self, name: str, /, **values: str) -> str:
        """The sentence `registry/NAME` with its places filled."""
        if values:
            return self._prompts.render(f"registry/{name}", SENTENCES[name], **values)
        found = self._whole.get(name)
        if found is None:
            found = self._whole[name] = self._prompts.render(f"registry/{name}", SENTENCES[name])
        return found

    def fitted(self, name: str, /, **values: str) -> str:
        """The same with those values that the sentence has places for."""
        wanted = places(SENTENCES[name])
        return self.say(name, **{place: value for place, value in values.items() if place in wanted})
