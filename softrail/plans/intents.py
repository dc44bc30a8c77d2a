"""What may be said to a plan besides the answer to its question."""

import re
from collections.abc import Mapping
from typing import Final

from softrail import IntentDefinition
from softrail.companion.understanding.phrases import phrases
from softrail.plans.forms.behind import behind

NEW: Final = "plan_new"
CONTINUE: Final = "plan_continue"
QUERY: Final = "query"
CONTROL: Final = "control"
DETAIL: Final = "query.detail"
PROVENANCE: Final = "query.provenance"
SUMMARY: Final = "query.summary"
LOOKUP: Final = "query.lookup"
DATA: Final = "query.data"
PICTURE: Final = "query.chart"
MODE: Final = "control.mode_switch"
RESET: Final = "control.reset"
REDO: Final = "control.redo_cmd"
STATUS: Final = "control.status"
CANCEL: Final = "control.cancel"
RETRY: Final = "control.retry"
MODIFY: Final = "control.replan"
RESUME: Final = "control.resume"
WHY: Final = "query.why"
ABANDON: Final = "control.abandon"
SAMPLE: Final = "control.sample"
TABLE: Final = "control.table"
FILE: Final = "query.file"
WAIT: Final = "control.wait"


#: What a person is told to say for those that may be meant where there is no plan yet.
_SAYINGS: Final[Mapping[str, str]] = {NEW: "analyze sales by region", SAMPLE: "use the sample data"}

#: What each is called where a person chooses between readings of a message.
_LABELS: Final[Mapping[str, str]] = {
    NEW: "Work it out with a plan",
    CONTINUE: "Change the plan",
    QUERY: "Ask about the plan",
    DETAIL: "Explain a result",
    PROVENANCE: "Show what it rests on",
    SUMMARY: "Sum up the findings",
    LOOKUP: "Tell a value",
    DATA: "Tell what data there is",
    PICTURE: "Draw it",
    FILE: "Give it as a file",
    CONTROL: "Handle the plan",
    MODE: "Change the mode",
    RESET: "Clear the plan and its facts",
    REDO: "Run it all again",
    STATUS: "Tell how far the plan is",
    CANCEL: "Stop the plan",
    RETRY: "Try the failed step again",
    MODIFY: "Change the plan",
    RESUME: "Go on with the plan",
    WHY: "Tell why",
    WAIT: "Wait a moment",
    ABANDON: "Give the plan up",
    SAMPLE: "Use the sample data",
    TABLE: "Copy a table",
}


def _active(name: str, description: str, *examples: str, surely: bool = False) -> IntentDefinition:
    """One that is meant only while there is a plan, or was one: nobody else's words are weighed against it."""
    return IntentDefinition(
        name=name,
        description=description,
        label=_LABELS[name],
        say=_SAYINGS.get(name, ""),
        examples=examples,
        offered="active",
        by_words=not examples,
        surely=surely,
    )


INTENTS: Final = (
    _active(
        NEW,
        "They want something worked out in steps that the plan under way does not answer.",
        "analyze the sales by region",
        "make a plan for the quarterly report",
        "work out what the trip would cost",
        "put the two suppliers side by side",
        "find out which product sold best",
        "what if the price rises ten percent",
        "make me a dashboard of the support tickets",
        "check if our costs really went down",
        "dig deeper into the refunds",
        "examine how the heating costs developed",
        "explore the answers to the survey",
        "draw a chart of the orders per month",
        "plot the temperature against the sales of ice",
        "forecast the demand for the summer",
        "estimate what a second shop would bring in",
        "rank the suppliers by price",
        "is it so that fewer people came this year",
        "did the new menu pay off",
        "which of the two routes is quicker",
        "what is the difference between the old tariff and the new one",
        "give me a breakdown of the spending",
        "how would it change if we hired two more",
        "test whether prices depend on the season",
        "prepare an overview of the bookings",
        "calculate the margin of each product",
        "look into the drop in orders",
        "study the traffic on the site",
        "find the cheapest supplier",
    ),
    _active(
        CONTINUE,
        "They want the plan changed, or say what one of its facts really is.",
        "use 12 for the price",
        "the price is 14, not 12",
        "set the rate to 0.2",
        "take 1.3M for Q4",
        "add the numbers of last winter, too",
        "hold on, just the first half of the year",
        "by month instead, please",
        "limit that to the northern shops",
        "do the same for the year before",
        "solve it in another way",
        "leave the last step out",
        "and now with October, too",
        "take the small orders in as well",
        "also do it for the west",
        "without the returns, please",
        "just the regular customers",
        "only the ones from France",
        "exclude everything under ten euros",
        "restrict it to weekdays",
        "do that once more for 2019",
        "the same for Italy",
        "repeat this with net prices",
        "break it down by city instead",
        "show it weekly",
        "group that by shop",
        "try another approach",
        "go at it from another side",
        "use the median and not the average",
        "make the price 11",
        "the rate is really 0.3",
        "skip the first step",
        "put a step in before the last one",
        "change the second step",
    ),
    _active(QUERY, "They ask something about a plan or what it found."),
    _active(
        DETAIL,
        "They ask about one step or one result, or doubt it.",
        "what does that step do",
        "tell me more about the second step",
        "are you sure that is right",
        "that number looks wrong",
        "why is it so high",
        "how come that one is ahead",
        "I don't believe that number, look again",
        "what does this result mean",
        "what is that supposed to tell me",
        "I do not understand this figure",
        "explain that result",
        "that can hardly be true",
        "how sure are you about it",
        "tell me about step 3",
        "this seems too low",
        "what happens in the first step",
        "please explain it to me",
        "explain this",
        "how certain are you",
    ),
    _active(
        PROVENANCE,
        "They ask what a result rests on.",
        "how did you get that?",
        "where does this number come from",
        "what is that based on",
        "show me how you computed the total",
        "how was the price worked out",
        "let me see the evidence for that",
        "what is the source of that number",
        "lead me through the calculation",
        "which data did you use for it",
        "how do you come to that conclusion",
        "what did you base it on",
        "show me what stands behind this",
        "what exactly have you done",
        "does it still take long",
        "walk me through what you did",
        "how did you go about it",
    ),
    _active(
        SUMMARY,
        "They want all that was found out.",
        "sum up the findings for me",
        "what did you find out",
        "show me all the results",
        "what do we know so far",
        "list the facts",
        "what is the result of all this",
        "in short, what came out",
        "the main findings, please",
        "give me an overview of the results",
        "what did it show",
        "what have you learned from it",
    ),
    _active(
        LOOKUP,
        "They ask for the value of one fact.",
        "what is the total",
        "what's the value of the margin",
        "how much is the price",
        "tell me the rate",
        "what was the revenue of the fourth quarter",
        "how high was the margin again",
        "what did the total come to",
        "which value does the rate have",
    ),
    _active(DATA, "They ask what data there is."),
    _active(PICTURE, "They want a picture of what was found out."),
    _active(FILE, "They want what was found out as a file."),
    _active(CONTROL, "They want the plan itself handled."),
    _active(
        MODE,
        "They want each plan with its proof, or want to explore.",
        "work in proof mode from here on",
        "this has to stand up to an audit",
        "go back to exploring",
        "exploratory mode, please",
        "I want evidence for everything from now on",
        "every conclusion has to be proved",
        "no more proofs, just explore",
        "turn auditing on",
    ),
    _active(
        RESET,
        "They want the plan and its facts cleared.",
        "clear the plan and all facts",
        "forget the results and begin with nothing",
        "wipe the findings",
        "throw the whole plan away with its facts",
        "delete everything you found out",
        "begin from nothing, without this plan",
        "empty the plan and start from zero",
        surely=True,
    ),
    _active(
        REDO,
        "They want every step done again.",
        "run everything again",
        "do the whole plan once more",
        "recompute all of it",
        "repeat every step",
        "do all the steps over",
        "calculate all of it anew",
        "go through every step a second time",
        surely=True,
    ),
    _active(
        STATUS,
        "They ask how far the plan is.",
        "how is the plan coming along",
        "how far is the plan",
        "what is the status of the plan",
        "is it still running",
        "how many steps are left",
        "what are you doing right now",
        "are you finished with it",
        "how much of it is done",
        "at which step is it",
        "are you still working on it",
        "how does it stand",
        "how soon will it be ready",
    ),
    _active(
        CANCEL,
        "They want the plan stopped.",
        "cancel the plan",
        "stop running this",
        "abort the run",
        "don't go on with the plan",
        "call off what is running",
        surely=True,
    ),
    _active(RETRY, "They want the step that failed tried again."),
    _active(MODIFY, "They want to change the plan, and have not said how."),
    _active(RESUME, "They want a plan that was stopped to go on."),
    _active(WHY, "They ask why something that was found is as it is."),
    _active(WAIT, "They want time to think while the plan runs."),
    _active(ABANDON, "They give up the plan that failed."),
    _active(
        SAMPLE,
        "They want the sample data to try things with.",
        surely=True,
    ),
    _active(TABLE, "They want a copy of a table that the operator offers."),
)

#: Whole messages that are one of them for certain, in normal form; each is asked only while there is a plan.
EXACT: Final[Mapping[str, str]] = {
    "status": STATUS,
    "cancel": CANCEL,
    "redo": REDO,
    "replan": MODIFY,
    "modify": MODIFY,
    "2": MODIFY,
    "retry": RETRY,
    "try again": RETRY,
    "1": RETRY,
    "abandon": ABANDON,
    "start over": ABANDON,
    "3": ABANDON,
    "use the sample data": SAMPLE,
    "use sample data": SAMPLE,
    "try the sample data": SAMPLE,
    "load the sample data": SAMPLE,
    "sample data": SAMPLE,
}

_AGAIN: Final = r"(?:please|now|right now|right away|at once|immediately|just|ok|okay|sorry)"
_THAT: Final = r"(?:(?:all of )?(?:it|that|this)|everything|(?:all of )?(?:the|that|this)(?: whole| running)* (?:plan|run|thing))"
_ALL: Final = rf"(?:{_THAT}|it all|(?:all of )?them|all|running(?: {_THAT})?|(?:running )?(?:plan|run))"
#: What a run is told that is to end: “no, wait, could you stop that now, please”. Some verbs mean it only of something.
_STOPS: Final = re.compile(
    rf"(?:(?:{_AGAIN}|actually|wait|no(?=,| wait| please| just| sorry| actually)|(?:can|could) you),? )*"
    rf"(?:(?:cancel|stop|abort|halt)(?:,? {_AGAIN})*(?: {_ALL})?|(?:end|drop|kill|quit)(?: {_AGAIN})* {_THAT})"
    rf"(?:,? {_AGAIN})*"
)


def _in_one(words: str) -> str:
    """The words in small letters, with a comma wherever a sentence ends within them."""
    return re.sub(r"\s*[.!;–-]+\s+", ", ", " ".join(words.lower().split())).strip(" ,.!?;…")


def stops(words: str) -> bool:
    """A whole message that says to a run that it is to end, and nothing else: meant so only while one is under way."""
    return _STOPS.fullmatch(_in_one(words)) is not None


_WAITS: Final = re.compile(
    rf"(?:(?:{_AGAIN}|no|oh|actually),? )*(?:wait(?: up)?|hold (?:on|up)|hang on|(?:just )?(?:one|a|give me a) (?:moment|second|sec|minute|min))"
    rf"(?:,? (?:{_AGAIN}|a (?:moment|second|sec|minute|min|bit)|wait|hold on|there|with (?:that|it)))*"
)


def waits(words: str) -> bool:
    """A whole message that asks for a moment, and for nothing else: whether a run is to end is not said with it."""
    return _WAITS.fullmatch(_in_one(words)) is not None


_STEPS: Final = re.compile(r"\bsteps\b", re.IGNORECASE)


def asks_of_steps(words: str) -> bool:
    """“Why 4 steps”, “what are all these steps for?”: asked of those that were shown."""
    return _STEPS.search(_only_asked(words)) is not None


def _only_asked(words: str) -> str:
    """What they ask, where they want nothing done; else ""."""
    said = behind(words).words
    return said if phrases().asks(said) and not asks_for_a_deed(said) else ""


_GOES_ON: Final = re.compile(
    r"(?:(?:ok|okay|please|now|so|and|then|yes|right|wait|no|actually),? )*"
    r"(?:go on|go ahead|carry on|continue|keep going|proceed|resume|pick it up again)(?: with)?"
    rf"(?: {_THAT})?(?: where (?:you|we) (?:left off|stopped|were))?(?:,? {_AGAIN})*"
)


def goes_on(words: str) -> bool:
    """A whole message that says to go on, and nothing else: meant so of a run that was stopped, or failed."""
    return _GOES_ON.fullmatch(" ".join(words.lower().replace("’", "'").split()).strip(" ,.!?;…")) is not None


_THINGS: Final = r"(?:data|dataset|files?|tables?|spreadsheets?|sheets?|columns?|fields?|csv|headers?)"
_MINE: Final = rf"(?:the|my|this|that|your|our|these|those)(?: (?:attached|uploaded))? {_THINGS}"
#: “Which columns are there?”, “what's in my file?”, “what can you tell me about the data?”
_WHAT_THERE_IS: Final = re.compile(
    rf"(?:(?:so|ok|okay|and|now) )?(?:(?:what|which) {_THINGS} (?:are there|is there|do (?:you|i|we) have|have (?:you|i|we) got|"
    rf"does {_MINE} have|are in {_MINE}|did (?:you|i) (?:read|attach|upload|get))"
    rf"|what(?:'s| is| do you see| do we have) in {_MINE}"
    r"|what (?:can|could|should) (?:i|we) ask(?: you)? (?:about|of|from) (?:this|it|that|them|these)"
    rf"|what (?:can|could) (?:you (?:tell|say)(?: me)?|i (?:find out|know|ask)(?: you)?|we ask) (?:about|from|of) {_MINE}"
    rf"|(?:describe|explain|show)(?: me)? {_MINE}|what does {_MINE} (?:contain|have|look like|hold)"
    rf"|what (?:is|are) {_MINE} (?:about|called))(?: (?:about|please|there|exactly))?"
)


def asks_what_there_is(words: str) -> bool:
    """A whole message that asks what the attached data is, and nothing of what stands in it."""
    said = " ".join(words.lower().replace("’", "'").replace(",", " ").split()).strip(" ,.!?;…")
    return _WHAT_THERE_IS.fullmatch(said) is not None


#: “Can you take 14?”, “what if it were 14?”: asked as a question, and wanted done.
_ASKED_FOR: Final = re.compile(
    r"\W*(?:(?:so|and|but|ok|okay|now|then|well|please)\W+)*"
    r"(?:(?:can|could|would|will|should|shall|may|might)(?:n't)? (?:you|we|i)|(?:what|how) (?:if|about)|why (?:not|don't (?:you|we))"
    r"|(?:is it|would it be) possible)\b",
    re.IGNORECASE,
)


def asks_for_a_deed(words: str) -> bool:
    """A question that wants something done, or tried."""
    return _ASKED_FOR.match(words.replace("’", "'")) is not None


_MODE_WANTED: Final = re.compile(
    rf"(?:{_AGAIN},? )*(?:(?:use|take|go (?:in)?to|switch to|(?:(?:do|run) (?:it|that|this) )?in) )?(?:the )?"
    rf"(?:exploratory|auditable|proof) mode(?:,? {_AGAIN})*",
    re.IGNORECASE,
)


def wants_a_mode(words: str) -> bool:
    """A whole message that asks for a mode, and for nothing else: “use proof mode, please”."""
    return _MODE_WANTED.fullmatch(_in_one(behind(words).words)) is not None


_MODE_NAMED: Final = re.compile(r"\b(?:(?:exploratory|auditable|proof) mode|modes)\b", re.IGNORECASE)


def asks_about_a_mode(words: str) -> bool:
    """“What is exploratory mode?” wants to know, and changes nothing; “can you switch to proof mode?” wants it changed."""
    return _MODE_NAMED.search(_only_asked(words)) is not None and not wants_a_mode(words)


#: Words of going away, which are no word about the plan.
EXIT: Final = frozenset({"exit", "quit"})

SLASHES: Final[Mapping[str, str]] = {
    "plan": NEW,
    "replan": CONTINUE,
    "redo": REDO,
    "retry": RETRY,
    "reset": RESET,
    "proof": MODE,
    "explore": MODE,
    "facts": SUMMARY,
    "sample": SAMPLE,
    "table": TABLE,
}
