"""What is said about plans: default texts of the assets `planning/NAME`, and the lists in them."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from softrail.plans.forms.conclusions import conclusions, listed_in
from softrail.plans.forms.form import Form
from softrail.plans.plan import Plan, PlanStep
from softrail.plans.showing import is_table
from softrail.plans.values import Fact, Mode, Run, Standing

MODES: Final[Mapping[Mode, str]] = {"proof": "proof mode", "exploratory": "exploratory mode"}
MARKS: Final = {"done": "✓", "running": "…", "waiting": "○", "cancelled": "○", "failed": "✗"}
AGGREGATES: Final = {
    "sum": "summed up",
    "mean": "averaged",
}  #: how a column is taken where nothing else is said
COPIED: Final = "Copied from "  #: how the first sentence about a copied table begins
_LONGEST_ARGUMENT: Final = 80

SENTENCES: Final[Mapping[str, str]] = {
    "plan": "The plan: {problem}\n{steps}\n{count}. Shall I go ahead?",
    "revised": "The plan as it is now: {problem}\n{steps}\n{count}. Shall I go ahead?",
    "begun": "I've begun: {count}. Ask me anything meanwhile, or say “stop”.",
    "done": "Done: {problem}\n{findings}",
    "no_rows": "No rows are left: there is none for which {filters}. Change one of these, for example:\n{instead}",
    "exit": (
        "“{problem}” is still running. Shall I cancel it? Say “cancel”; otherwise it goes on, and its end is told here."
    ),
    "exit_kept": "Goodbye. The plan “{problem}” stays as it is; just write when you want to go on.",
    "proof": "The proof is a file that can be checked anywhere, by `softrail plans verify`: {ref}",
    "file": "“{title}” is kept as a file for spreadsheets: {ref}",
    "done_before": "The plan had just come to its end when you said so: {problem}\n{findings}",
    "failed": (
        "Step {n} failed, “{step}”: {error}\n1. Try again\n2. Modify the plan\n3. Start over\n"
        "What is finished stays in any case."
    ),
    "stopped": "I've stopped.\n{steps}\nWhat is finished stays.",
    "dropped": "I've dropped the plan “{problem}”.",
    "left": "Then I leave that.",
    "emptied": "What was waiting goes with it: {count}.",
    "drawn": "Here it is drawn:\n{charts}",
    "files": "Here it is to take along:\n{files}",
    "no_file": "There is no table and no chart in this to take along: it is a number, and stands above.",
    "file_later": "The plan is not carried out yet. Once it is done, say that again: then there is something to take along.",
    "runs_on": "Take your time. The plan goes on meanwhile; say “stop” if it is to end.",
    "why": "{told}Why that is so, the numbers alone do not say.",
    "why_further": "{told}Why that is so, the numbers alone do not say. Where it comes from they can: say {further}.",
    "not_drawn": "There is nothing to draw in this: it is no row of numbers. {how}",
    "one_plan": (
        "There is just this one plan, and nothing to choose by its place. Say yes or no to it, what should change, or "
        "“what does step 2 do?”."
    ),
    "rejected": "What should change? {how}",
    "changed": "I've stopped for that.\n{steps}",
    "how": (
        "Send the plan as you want it: /plan, and below it YAML with a problem and steps. The value of a fact you can "
        "simply tell me."
    ),
    "whole": "“What does step 2 do?” tells a step whole.",
    "how_in_words": (
        "Say it in words: “only the last two months”, “by month”, or another question. “Stop” leaves the plan, and the "
        "value of a fact you can simply tell me."
    ),
    "wished": "I'm making a plan for that. I'll show it to you as soon as it is there; “stop” leaves it.",
    "wished_next": "I'm making a plan for that. It comes next, once this one is over.",
    "no_plan": "I could not make a plan of that: {why} Say it in other words, or give me the steps.",
    "no_planner": (
        "I can't make a plan from words alone here. Attach the data that it is about, or say “use the sample data”. {how}"
    ),
    "nothing_fits": "I find nothing in the attached data that this could be about. There is:\n{tables}",
    "still_read": "I'm still looking through the attached data for that. Say it again in a moment.",
    "not_bound": "I can't tell what of the data that would change, so nothing was changed. There is:\n{tables}",
    "suggested": "I've changed the plan for that.",
    "choices": "What they are:\n{choices}",
    "which": "Which “{word}” do you mean?",
    "which_table": "Which table do you mean?",
    "which_time": "Which {word} do you mean?",
    "which_date": "Which date counts?",
    "which_numbers": "Which numbers?",
    "by_what": "By what?",
    "no_such_number": "I don't find “{word}” among the numbers. What is meant?",
    "no_such_group": "I don't find “{word}” among the columns. What is meant?",
    "no_such_value": "I don't find “{word}” in the data. What is meant?",
    "no_such_time": "The data has nothing for {word}. Shall I take all of it?",
    "of_rows": "“{word}” can be looked for in single rows, not in totals. Shall I take the rows?",
    "no_use": "I can't tell what “{word}” is to do there. Say it in other words.",
    "compare_what": "What is to be compared? Name two values of one column, two times, or two columns of numbers.",
    "one_of": "That can be told of one of them at a time. Say it again with just one: {choices}.",
    "how_much": "By how many percent, or than which number? Say it again with that.",
    "none_of_these": "Then I leave that. There is:\n{tables}",
    "say_exactly": "{question} Say it again in full: {choices}.",
    "sample": "I'm reading the sample data. I'll tell you when it is there.",
    "sample_there": (
        "The sample data is attached:\n{tables}\nTry “analyze sales by region”, “trend of revenue”, “compare North and South "
        "on units” or “verify that every region has revenue above 10000”."
    ),
    "sample_failed": "The sample data could not be read: {error}",
    "still_attached": "I'm still reading the data. I'll tell you when it is there; say that again then.",
    "table": "I'm copying the table “{name}”. I'll tell you when it is there.",
    "table_there": "A copy of the table is attached:\n{tables}\n{told}",
    "table_failed": "{error}",
    "no_tables": "No tables of a database are offered here.",
    "no_such_table": "There is no table “{name}” here. There is: {names}.",
    "which_offered": "Which table? There is: {names}.",
    "no_planner_change": "I can't change the steps from words alone here, so nothing was changed. {how}",
    "queued": "Noted: “{problem}” comes next, once this plan is over.",
    "queued_instead": "Noted: “{problem}” comes next, instead of “{before}”.",
    "later": "I'll do that once the plan is over.",
    "next": "Now for what you asked next.",
    "mode": "From now on in {mode}.",
    "modes": (
        "There are two. In exploratory mode each query is run once, and findings are told as they come. In proof mode each "
        "is run twice and has to give the same, no word of a language model counts, and a plan that is done ends with a file "
        "that proves it. Now it is {mode}; “/proof” and “/explore” change that."
    ),
    "mode_inferred": "I'll do this in {mode}; /proof and /explore change that.",
    "reset": "The plan and its facts are cleared.",
    "nothing": "There is no plan yet. {how}",
    "nothing_runs": "Nothing is being done just now, so there is nothing to stop.",
    "nothing_known": "Nothing is known yet.",
    "no_such_fact": "I know no such fact. Known: {names}.",
    "document": "{name}, line {line}, says: “{passage}”",
    "document_under": "{name}, line {line}, under “{heading}”, says: “{passage}”",
    "document_page": "{name}, page {page}, says: “{passage}”",
    "documents_besides": "It is also spoken of in {names}.",
    "from_knowledge": "From the language model's general knowledge, not from your data or documents: {answer}",
    "nothing_done": "(To be clear: just now nothing was saved, changed or sent.)",
    "data_there": "There is:\n{tables}\nAsk about it in your own words. {example}",
    "no_data": "No data is attached yet. Attach a file, or say “use the sample data”.",
    "data_example": "For example: “{example}”.",
    "could_be_analyzed": "What could be analyzed:\n{tables}",
    "which_fact": "Which one do you mean? Known: {names}.",
    "which_value": "Which value should “{name}” have?",
    "no_number": "“{name}” is no number, so I can't take one for it. {how}",
    "corrected": "{name} is {value}, as you say; before it was {before}.",
    "status_idle": "Nothing is being done just now, in {mode}. {facts}",
    "status_planning": "A plan is being made, in {mode}. {how}",
    "status_awaiting_approval": "The plan “{problem}” waits for your yes, in {mode}: {count}.",
    "status_executing": "“{problem}”, in {mode}: {done} of {total} steps are done.\n{steps}",
    "status_failed": "“{problem}” stopped at a step that failed, in {mode}.\n{steps}\nTry again, modify it, or start over.",
    "status_queued": "Next comes “{problem}”.",
    "all_again": "All steps are done again. What you told me stays as you told it.",
    "not_again": "So it is not done again, either.",
    "nothing_to_retry": "Nothing has failed, so there is nothing to try again.",
    "abandoned": "I've given up that plan. What is finished stays.",
}


def steps_of(plan: Plan, standing: Standing | None = None) -> str:
    """The steps, numbered, each with what it reads and makes; those whose fact is known already say so."""
    facts = standing.facts if standing is not None else {}
    kept = known_steps(plan, standing) if standing is not None else set()
    told = "\n".join(
        f"{n}. {step.called}{_of(plan, step)}, makes {step.makes}"
        + (_known(facts[step.makes]) if step.id in kept else "")
        for n, step in enumerate(plan.in_order(), start=1)
    )
    return f"{told}\n\n{reads_of(plan.form)}" if plan.form is not None and plan.form.reads else told


def _of(plan: Plan, step: PlanStep) -> str:
    """What a step does and reads. Made from words, it is told by its title; its query is told where it is asked for."""
    if plan.form is None:
        return f": {deed(step)}"
    return f", from {', '.join(step.needs)}" if step.needs else ""


def _known(fact: Fact) -> str:
    """What is known already: a table is not told as a whole."""
    return f" (known: {fact.shown})" if fact.type != "data" else " (known)"


def reads_of(form: Form) -> str:
    """How each word was read."""
    told = "; ".join(f"“{one.said}”: {one.means}" if one.said else one.means for one in form.reads)
    return f"As I read it: {told}."


def known_steps(plan: Plan, standing: Standing) -> set[str]:
    """The steps whose fact is there already, from the same: they need no work."""
    found: set[str] = set()
    for step in plan.in_order():
        fact = standing.facts.get(step.makes)
        needed = [one.makes for need in step.needs if (one := plan.step(need)) is not None]
        if fact is None or not all(need in found for need in step.needs):
            continue
        basis = {name: standing.facts[name].basis for name in needed}
        said = fact.turn_id is not None and fact.root == standing.root
        if said or fact.source == step.source(basis, standing.versions):
            found.add(step.id)
    return found


def deed(step: PlanStep) -> str:
    """What a step does: its action with its arguments, and the facts it needs."""
    told = ", ".join(f"{name}: {_argument(value)}" for name, value in step.arguments.items())
    reads = f" from {', '.join(step.needs)}" if step.needs else ""
    return f"{step.action}({told}){reads}"


def step_in_full(n: int, step: PlanStep) -> str:
    """A step with its arguments as they are, each in lines of its own: nothing is cut."""
    reads = f", from {', '.join(step.needs)}" if step.needs else ""
    lines = [f"{n}. {step.called}: {step.action}{reads}, makes {step.makes}"]
    return "\n".join([*lines, *(f"   {name}: {value}" for name, value in step.arguments.items())])


def is_cut(plan: Plan) -> bool:
    """Not everything that its steps are given can be seen where it is shown."""
    given = [value for step in plan.steps for value in step.arguments.values()]
    return plan.form is None and any(_argument(value).endswith("…") for value in given)


def _argument(value: object) -> str:
    text = " ".join(str(value).split())
    return text if len(text) <= _LONGEST_ARGUMENT else f"{text[:_LONGEST_ARGUMENT]}…"


def count_of(plan: Plan, known: int = 0) -> str:
    """How many steps, and of how many the fact is known."""
    count = f"{len(plan.steps)} step{'s' if len(plan.steps) != 1 else ''}"
    return f"{count}, {known} of them known already" if known else count


def progress_of(plan: Plan, run: Run | None) -> str:
    """Each step with how it stands."""
    states = run.steps if run is not None else {}
    lines = []
    for step in plan.in_order():
        state = states[step.id].state if step.id in states else "waiting"
        lines.append(f"{MARKS[state]} {step.called}")
    return "\n".join(lines)


def findings(plan: Plan, standing: Standing) -> str:
    """What the steps of a plan have found, each a fact as it is shown."""
    if plan.form is not None:
        return conclusions(plan, standing.facts)
    kept = standing.run.steps if standing.run is not None else {}
    lines = []
    for step in plan.in_order():
        fact = standing.facts.get(step.makes)
        if fact is None:
            continue
        told = " (as you said)" if fact.turn_id else ""
        known = step.id in kept and kept[step.id].kept and not fact.turn_id
        lines.append(f"- {fact.name}: {fact.shown}{told}{' (known before)' if known else ''}")
    return "\n".join(lines)


def to_save(plan: Plan, standing: Standing, session_id: str) -> Iterator[tuple[str, str]]:
    """What `findings` shows that can be saved, too, each table that it lists and each chart: its title, and where it is."""
    listed = {fact.id for fact in listed_in(plan, standing.facts)}
    for step in plan.in_order():
        fact = standing.facts.get(step.makes)
        if fact is None:
            continue
        told = plan.form is None or fact.id in listed
        if told and is_table(fact.value) and fact.value["rows"]:
            yield step.called, f"/sessions/{session_id}/facts/{fact.id}.csv"
        elif step.action == "chart" and fact.ref:
            yield step.called, fact.ref


def charts_of(plan: Plan, standing: Standing) -> Sequence[tuple[PlanStep, str]]:
    """The charts that a plan has drawn, each with where it is."""
    made = [(step, standing.facts.get(step.makes)) for step in plan.in_order() if step.action == "chart"]
    return [(step, fact.ref) for step, fact in made if fact is not None and fact.ref]


def named_by(plan: Plan) -> str:
    """What a plan calls itself and its steps."""
    return " ".join([plan.problem, *(step.called for step in plan.steps)])


def kept_tables(plan: Plan, standing: Standing) -> Iterator[tuple[str, str]]:
    """The tables that a plan has kept as files: the title of each, and where it is downloaded."""
    for step in plan.in_order():
        fact = standing.facts.get(step.makes)
        if fact is not None and fact.ref and is_kept_table(fact):
            yield str(fact.value["title"]), fact.ref


def is_kept_table(fact: Fact) -> bool:
    """A fact that is a table in a file."""
    return bool(fact.ref) and isinstance(fact.value, Mapping) and fact.value.keys() >= {"title", "rows"}


def facts_in_lines(facts: Iterable[Fact]) -> str:
    """Facts, one a line; of a table that is kept also where its file is."""
    return "\n".join(f"- {fact.name}: {fact.shown}{_file(fact)}" for fact in facts)


def _file(fact: Fact) -> str:
    return f"\n  as a file: {fact.ref}" if is_kept_table(fact) else ""


def chain_in_lines(chain: Sequence[Fact], plan: Plan | None) -> str:
    """What a fact rests on: each fact with the step that made it, or the person's own word."""
    steps = {step.makes: step for step in plan.steps} if plan is not None else {}
    lines = []
    for fact in chain:
        step = steps.get(fact.name)
        if fact.turn_id is not None:
            how = "you said so"
        elif step is not None and fact.step_id == step.id:
            how = f"“{step.called}”, {deed(step)}"
        else:
            how = f"step {fact.step_id} of an earlier plan"
        table = "\n" in fact.shown  # which comes last
        lines.append(f"- {fact.name}: {how}" if table else f"- {fact.name} = {fact.shown}: {how}")
        lines += [f"  {one}" for one in _evidence(fact)]
        if table:
            lines.append(f"  it gave {fact.shown}")
    return "\n".join(lines)


def _evidence(fact: Fact) -> Iterator[str]:
    """The data that a fact was found in: the end of its chain."""
    known = fact.evidence or {}
    for source in known.get("sources", ()):
        tables = ", ".join(source["tables"])
        yield f"from {source['name']} (sha256 {source['sha256'][:12]}…), {tables}: {source['rows']} rows"
    if known.get("query"):
        rows = known.get("rows")
        yield f"by {known['query']}" + (
            f" ({rows} row{'' if rows == 1 else 's'})" if rows is not None else ""
        )
    if known.get("method"):
        yield f"by {known['method']}"
    if known.get("runs", 1) > 1:
        yield f"worked out {known['runs']} times, each time the same"
    for repair in known.get("repairs", ()):
        yield repair if repair.startswith(COPIED) else f"mended: {repair}"
