"""What people ask of data is bound as they mean it, or asked; what fits nothing is never guessed."""

import tomllib
from datetime import date
from hashlib import sha256
from pathlib import Path

import pytest

from benchmarks.forms import LINES, colloquial, judged, schemas
from softrail.plans.data.profile import Column, DataTable, Source
from softrail.plans.forms.conclusions import conclusions, used_by
from softrail.plans.forms.form import Filter, Form, Question, Span
from softrail.plans.forms.grammar import read
from softrail.plans.forms.revising import revise
from softrail.plans.forms.sql import label
from softrail.plans.forms.steps import plan_of
from softrail.plans.forms.tokens import stem
from softrail.plans.intents import asks_what_there_is
from softrail.plans.requests import may_be_one
from tests.unit.plans.computed import Drawn, connect, faults

KNOWN, TODAY = schemas()


def asked(on: str, said: str, **chosen: str) -> Form | Question | None:
    return read(said, KNOWN[on], today=TODAY, chosen=chosen)


def form_of(on: str, said: str, **chosen: str) -> Form:
    found = asked(on, said, **chosen)
    assert isinstance(found, Form), found
    return found


def question_of(on: str, said: str, **chosen: str) -> Question:
    found = asked(on, said, **chosen)
    assert isinstance(found, Question), found
    return found


def test_the_lines_are_those_that_were_frozen() -> None:
    frozen = tomllib.loads((LINES / "frozen.toml").read_text(encoding="utf-8"))
    assert frozen == {name: sha256((LINES / name).read_bytes()).hexdigest() for name in frozen}


def test_nine_of_ten_lines_are_bound_or_asked_and_at_most_one_of_a_hundred_is_silently_wrong() -> None:
    found = [judgement for judgement, _, _ in judged()]

    assert len(found) >= 150
    assert sum(one in ("right", "asked") for one in found) >= 0.9 * len(found)
    assert sum(one == "wrong" for one in found) <= 0.01 * len(found)


def test_of_what_is_said_in_passing_and_known_to_be_a_request_hardly_anything_is_unheard() -> None:
    found = colloquial(surely=True)

    assert found.total() == 91
    assert found["unheard"] <= 11


@pytest.mark.parametrize("seed", range(4))
def test_what_a_form_computes_is_what_plain_python_computes(seed: int) -> None:
    assert list(faults(seed, connect())) == []


@pytest.mark.parametrize("seed", range(4, 10))  # each manner of writing numbers, and each of writing dates
def test_what_a_form_computes_of_a_file_is_what_plain_python_computes(seed: int, tmp_path: Path) -> None:
    assert list(faults(seed, connect(), tmp_path)) == []


def test_a_word_binds_to_a_name_before_a_part_a_synonym_or_a_value() -> None:
    by_name = form_of("web", "analyze visits by country")  # the table is called so, too
    assert [(one.column, one.aggregate) for one in by_name.measures] == [("visits", "sum")]
    by_synonym = form_of("sales", "analyze sales by region")
    assert [one.told() for one in by_synonym.measures] == ["sum of `Revenue (EUR)`"]
    by_value = form_of("staff", "average age in sales")
    assert [one.told() for one in by_value.where] == ["`Department` is Sales"]


def test_each_word_says_how_it_was_read_and_so_does_what_was_taken_without_one() -> None:
    found = form_of("sales", "trend of sales in the north")
    assert [(one.said, one.means) for one in found.reads] == [
        ("sales", "sum of `Revenue (EUR)`"),
        ("north", "`Region` is North"),
        ("", "`Date` by month"),
    ]


def test_two_columns_that_fit_are_asked_with_both_on_buttons() -> None:
    found = question_of("orders", "analyze the amount by country")
    assert (found.why, found.said) == ("several", "amount")
    assert [one.label for one in found.choices] == ["Net amount", "Gross amount"]
    chosen = form_of("orders", "analyze the amount by country", **{found.about: "gross_amount"})
    assert chosen.measures[0].title == "Gross amount"


def test_a_word_that_fits_nothing_is_asked_with_the_nearest_first() -> None:
    found = question_of("sales", "analyze reveneu by region")
    assert (found.why, found.said) == ("no_fit", "reveneu")
    assert found.choices[0].label == "Revenue (EUR)"


def test_a_value_of_two_columns_is_asked_unless_its_column_stands_beside_it() -> None:
    found = question_of("clinic", "waiting time in the north by doctor")
    assert [one.label for one in found.choices] == ["North (Clinic)", "North (Referred from)"]
    beside = form_of("clinic", "waiting time in the north clinic by doctor")
    assert [one.told() for one in beside.where] == ["`Clinic` is North"]


def test_a_quarter_without_a_year_is_asked_where_there_are_several_and_taken_where_there_is_one() -> None:
    found = question_of("sales", "revenue by product in Q4")
    assert [one.label for one in found.choices] == ["Q4 2023", "Q4 2024", "Q4 of every year"]
    every = form_of("sales", "revenue by product in Q4", **{found.about: "every"})
    assert every.where[0].told() == "quarter of `Date` is 4"
    one_year = form_of("web", "visits by device in Q4")
    assert one_year.where[0].told() == "`day` from 2024-10-01 to 2024-12-31"


def test_a_time_that_the_data_has_not_is_said_and_never_an_empty_result() -> None:
    found = question_of("sales", "revenue by region for 2031")
    assert (found.why, found.said) == ("outside", "2031")
    assert form_of("sales", "revenue by region for 2031", **{found.about: "all"}).where == ()


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("since March 2024", "from 2024-03-01"),
        ("after March 2024", "from 2024-04-01"),
        ("until 2023", "to 2023-12-31"),
        ("before 2024", "to 2023-12-31"),
        ("between 2024-02-01 and 2024-02-10", "from 2024-02-01 to 2024-02-10"),
        ("in the first quarter of 2024", "from 2024-01-01 to 2024-03-31"),
        ("for the last 6 months", "from 2024-09-01 to 2025-02-28"),
        ("last year", "from 2024-01-01 to 2024-12-31"),
        ("in 2023 and 2024", "from 2023-01-01 to 2023-12-31 or from 2024-01-01 to 2024-12-31"),
        ("in the last quarter of 2024", "from 2024-10-01 to 2024-12-31"),
        ("in the first two months of 2024", "from 2024-01-01 to 2024-02-29"),
        ("in the second half of 2023", "from 2023-07-01 to 2023-12-31"),
        ("in the last month of Q3 2024", "from 2024-09-01 to 2024-09-30"),
        ("in 2024, only Q2 2024", "from 2024-04-01 to 2024-06-30"),
        ("since March 2023 until June 2024", "from 2023-03-01 to 2024-06-30"),
    ],
)
def test_times_are_read_as_days_from_and_to(said: str, told: str) -> None:
    found = form_of("sales", f"revenue by region {said}")
    assert [one.told() for one in found.where] == [f"`Date` {told}"]


def test_what_is_predicted_goes_along_the_times_that_were_said() -> None:
    found = form_of("sales", "predict revenue for the next two quarters")
    assert (found.n, [one.told() for one in found.by]) == (2, ["`Date` by quarter"])


def test_a_word_that_nothing_comes_of_is_asked_and_never_left_out() -> None:
    for said in ("revenue by region with the most units", "revenue by region for the next 3 months"):
        assert isinstance(asked("sales", said), Question | None), said


def test_a_claim_about_the_most_holds_for_the_rows_that_were_said() -> None:
    found = form_of("sales", "verify that espresso has the highest revenue in 2024")
    assert [one.told() for one in found.sides] == ["`Product` is Espresso"]
    assert [one.told() for one in found.where] == ["`Date` from 2024-01-01 to 2024-12-31"]


def test_a_name_of_two_tables_asks_which_table_is_meant() -> None:
    found = question_of("stock", "number of sku by warehouse")
    assert found.why == "which_table"
    assert [one.key for one in found.choices] == ["stock", "movements"]
    chosen = form_of("stock", "number of sku by warehouse", **{found.about: "movements"})
    assert chosen.table == "movements"


@pytest.mark.parametrize(
    ("before", "said", "told"),
    [
        ("top 3 products by revenue", "only online", ["`Channel` is Online"]),
        ("revenue by product in the north", "in the south", ["`Region` is South"]),
        ("revenue by product in the north", "also the south", ["`Region` is North, South"]),
        (
            "revenue by product in the north",
            "for 2024",
            ["`Region` is North", "`Date` from 2024-01-01 to 2024-12-31"],
        ),
        ("revenue by product", "with units above 10", ["`Units` > 10"]),
    ],
)
def test_a_later_filter_changes_what_was_said_of_its_column_alone(
    before: str, said: str, told: list[str]
) -> None:
    form = form_of("sales", before)
    found = revise(form, said, KNOWN["sales"], today=TODAY)
    assert isinstance(found, Form)
    assert [one.told() for one in found.where] == told
    assert (found.kind, found.measures, found.by) == (form.kind, form.measures, form.by)


@pytest.mark.parametrize(
    "said",
    [
        "thanks",
        "use 13 for the price",
        "what do you think?",
        "yes please",
        "the weather is nice in the north",
        "",
    ],
)
def test_what_is_no_change_of_a_form_is_none(said: str) -> None:
    assert revise(form_of("sales", "revenue by product"), said, KNOWN["sales"], today=TODAY) is None


@pytest.mark.parametrize(
    "said",
    [
        "how did you get that?",
        "compare Ben and Anna for the job",
        "verify my email address",
        "what is the best way to learn Spanish?",
        "give me a minute",
        "I need it by Friday",
        "top secret",
        "show me all the results",
        "assume that I am right",
    ],
)
def test_what_people_say_besides_is_no_request_though_data_is_attached(said: str) -> None:
    for name in KNOWN:
        assert asked(name, said) is None, name


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("how many units did we sell in the south?", ["sum of `Units`", "`Region` is South"]),
        ("what did every product earn in 2023?", ["sum of `Revenue (EUR)`", "`Product`"]),
        ("how much did we spend on costs in the north?", ["sum of `Cost (EUR)`", "`Region` is North"]),
        ("build me an overview of costs", ["sum of `Cost (EUR)`"]),
        ("make a chart of units by region", ["sum of `Units`", "`Region`"]),
        ("how is revenue developing?", ["sum of `Revenue (EUR)`", "`Date` by month"]),
        ("how do sales in the north compare to the south?", ["sum of `Revenue (EUR)`"]),
    ],
)
def test_questions_as_people_put_them_are_bound(said: str, told: list[str]) -> None:
    means = [one.means for one in form_of("sales", said).reads]
    assert [one for one in told if one not in means] == []


@pytest.mark.parametrize(
    ("said", "about"),
    [
        ("how much did each region bring in last year?", "?measure"),
        ("what were our best months?", "?measure"),
        ("how does the north compare to the south?", "?measure"),
        ("what is the average order size per product?", "order"),
        ("what is the average revenue per customer per month?", "customer"),
        ("what is the profit by region?", "profit"),
        ("what would happen if prices went up 10 percent?", "pric"),
    ],
)
def test_a_question_that_is_mostly_about_the_data_is_asked_back_and_not_left_to_free_talk(
    said: str, about: str
) -> None:
    assert question_of("sales", said).about == about


@pytest.mark.parametrize(
    "said",
    [
        "remember that revenue in the north fell in March",
        "is it better to charge yearly or for each project?",
        "what did I tell you about the north?",
        "how does this work?",
        "how are you?",
        "what do you mean?",
    ],
)
def test_notes_and_free_talk_stay_what_they_are(said: str) -> None:
    assert asked("sales", said) is None


@pytest.mark.parametrize("said", ["thank you so much", "hello", "yes", "I'm fine"])
def test_nothing_is_looked_up_for_words_that_no_form_is_made_with(said: str) -> None:
    assert not may_be_one(said)


def test_words_that_a_form_is_made_with_may_be_several() -> None:
    assert may_be_one("leave out the late ones")
    assert may_be_one("everything but the late ones")


def test_a_title_names_every_time_that_counts() -> None:
    march, april = (Span(low=f"2025-0{n}-01", high=f"2025-0{n}-{last}") for n, last in ((3, 31), (4, 30)))

    assert label(Filter(column="day", title="Day", spans=(march, april))) == "2025-03 or 2025-04"


@pytest.mark.parametrize(
    ("said", "by", "where"),
    [
        ("break it down by channel instead", ["`Channel`"], []),
        ("split that by region and channel, please", ["`Region`", "`Channel`"], []),
        ("the same for the south", ["`Product`"], ["`Region` is South"]),
        ("what about just the north?", ["`Product`"], ["`Region` is North"]),
    ],
)
def test_words_for_what_was_shown_change_it(said: str, by: list[str], where: list[str]) -> None:
    changed = revise(form_of("sales", "revenue by product"), said, KNOWN["sales"], today=TODAY)
    assert isinstance(changed, Form)
    assert ([one.told() for one in changed.by], [one.told() for one in changed.where]) == (by, where)


def test_steps_keep_their_names_where_a_filter_changes_so_that_only_they_run_again() -> None:
    form = form_of("sales", "analyze revenue by region")
    changed = revise(form, "only 2024", KNOWN["sales"], today=TODAY)
    assert isinstance(changed, Form)
    before, after = (plan_of(one, KNOWN["sales"]) for one in (form, changed))
    assert [step.id for step in before.steps] == [step.id for step in after.steps]
    assert before.steps[0] == after.steps[0]
    assert before.steps[1].arguments != after.steps[1].arguments


def test_names_and_values_are_quoted_wherever_they_come_from() -> None:
    drawn = Drawn(5)
    drawn.load(connection := connect())
    source = drawn.source.model_copy(update={"tables": (_hostile(drawn),)})
    form = read("analyze rows by x", (source,), today=date(2025, 1, 1))
    assert isinstance(form, Form)
    narrowed = revise(form, "only a'); DROP TABLE drawn; --", (source,), today=TODAY)
    assert isinstance(narrowed, Form)
    connection.execute('CREATE TABLE "t""; x" ("x""; y" VARCHAR)')
    for step in plan_of(narrowed, (source,)).steps:
        if "sql" in step.arguments:
            connection.execute(step.arguments["sql"])
    assert connection.execute("SELECT count(*) FROM drawn").fetchone() == (len(drawn.rows),)


def _hostile(drawn: Drawn):  # type: ignore[no-untyped-def] # a table
    table = drawn.source.tables[0]
    column = table.columns[0].model_copy(
        update={"title": "x", "name": 'x"; y', "values": ("a'); DROP TABLE drawn; --",)}
    )
    return table.model_copy(update={"name": 't"; x', "columns": (column,)})


@pytest.mark.parametrize(
    ("word", "other"),
    [
        ("salaries", "salary"),
        ("losses", "loss"),
        ("ordered", "orders"),
        ("centre", "center"),
        ("boxes", "box"),
    ],
)
def test_words_of_one_stem_are_one(word: str, other: str) -> None:
    assert stem(word) == stem(other)


def test_a_plan_without_facts_concludes_nothing_and_names_what_it_will_be_filled_from() -> None:
    plan = plan_of(form_of("sales", "analyze revenue by region"), KNOWN["sales"])
    assert conclusions(plan, {}) == ""
    assert list(used_by(plan)) == ["revenue", "revenue_by_region"]


def test_who_is_the_column_that_names_people() -> None:
    one = form_of("staff", "who has the highest salary?")
    assert (one.kind, one.n, [g.title for g in one.by]) == ("top", 1, ["Employee"])
    least = form_of("tickets", "who has the lowest satisfaction?")
    assert (least.kind, least.least, [g.title for g in least.by]) == ("top", True, ["agent"])
    for said in ("who are you?", "who should I call in Berlin?", "who is the manager here?"):
        assert asked("staff", said) is None, said


def test_a_number_before_the_best_is_how_many_of_them() -> None:
    best = form_of("sales", "our two best products by revenue")
    assert (best.kind, best.n, best.least) == ("top", 2, False)
    worst = form_of("weather", "the two worst stations by rain")
    assert (worst.kind, worst.n, worst.least) == ("top", 2, True)


@pytest.mark.parametrize(
    ("said", "kind"),
    [
        ("is revenue higher in the north than in the south?", "sides"),
        ("do online units beat shop units?", "sides"),
        ("does espresso have the highest revenue?", "most"),
        ("is revenue going up?", "rises"),
    ],
)
def test_a_question_that_is_answered_by_yes_or_no_is_a_claim(said: str, kind: str) -> None:
    claim = form_of("sales", said).claim
    assert claim is not None
    assert claim.kind == kind


@pytest.mark.parametrize(
    "said",
    ["is that more than I need?", "is it better to wait?", "was that the best?", "are you better than that?"],
)
def test_a_question_about_something_else_is_no_claim(said: str) -> None:
    assert asked("sales", said) is None


def test_the_share_of_one_piece_is_one_among_those_of_all() -> None:
    form = form_of("sales", "what share of revenue comes from the north?")
    assert (form.kind, [one.told() for one in form.by], form.where) == ("share", ["`Region`"], ())


def test_a_limit_is_of_the_one_column_with_its_unit_else_it_is_asked() -> None:
    form = form_of("stock", "how many items over 50 euros?")
    assert [one.told() for one in form.where] == ["`unit_price` > 50"]
    found = question_of("sales", "how many rows above 500 euros?")
    assert (found.why, found.what) == ("missing", "measure")
    chosen = form_of("sales", "how many rows above 500 euros?", **{found.about: "cost_eur"})
    assert [one.told() for one in chosen.where] == ["`Cost (EUR)` > 500"]


def test_titles_that_are_cut_short_are_found_by_the_whole_words() -> None:
    columns = (
        Column(title="Cust. name", name="cust_name", kind="text", values=("Ada", "Bob")),
        Column(title="Item grp", name="item_grp", kind="text", values=("Bulbs", "Trees")),
        Column(title="Net amt. €", name="net_amt", kind="number", unit="EUR", least="1", most="9"),
        Column(title="Qty (pcs)", name="qty_pcs", kind="number", unit="pcs", whole=True, least="1", most="9"),
    )
    table = DataTable(title="orders", name="orders", rows=9, columns=columns)
    source = Source(id="1", name="orders.csv", format="csv", sha256="ab" * 32, bytes=1, tables=(table,))
    for said, by, measure in (
        ("amount by customer", "Cust. name", "net_amt"),
        ("which customer brought in the most money?", "Cust. name", "net_amt"),
        ("quantity per item group", "Item grp", "qty_pcs"),
    ):
        form = read(said, (source,), today=TODAY)
        assert isinstance(form, Form), said
        assert ([one.title for one in form.by], [one.column for one in form.measures]) == ([by], [measure])


def test_the_best_one_looked_at_in_time_is_all_of_it_in_time() -> None:
    form = form_of("sales", "which product has the highest revenue?")
    found = revise(form, "show it by month", KNOWN["sales"], today=TODAY)
    assert isinstance(found, Form)
    assert (found.kind, found.n, [one.told() for one in found.by]) == ("analyze", None, ["`Date` by month"])


@pytest.mark.parametrize(
    "said",
    [
        "which columns are there?",
        "What's in my file?",
        "what can you tell me about the data",
        "describe the table, please",
        "what does this spreadsheet contain?",
        "so, what data do you have?",
    ],
)
def test_what_there_is_may_be_asked(said: str) -> None:
    assert asks_what_there_is(said)


@pytest.mark.parametrize(
    "said", ["what's in it", "show me the data by region", "what is in the box?", "which file should I send?"]
)
def test_what_stands_in_the_data_is_another_question(said: str) -> None:
    assert not asks_what_there_is(said)


@pytest.mark.parametrize(
    ("said", "about", "leaves_out"),
    [
        ("I'm curious which products do well online", "well", "well"),
        ("is decaf losing ground", "los", "losing”, “ground"),
        ("I need to know how much each region brought in last year", "?measure", ""),
        ("how do the regions stack up", "stack", "stack”, “up"),
    ],
)
def test_of_what_is_known_to_be_a_request_all_that_is_not_clear_is_asked_and_words_may_be_left_out(
    said: str, about: str, leaves_out: str
) -> None:
    question = read(said, KNOWN["sales"], today=TODAY, surely=True)
    assert isinstance(question, Question)
    assert question.about == about
    labels = [one.label for one in question.choices if one.key.startswith("-")]
    assert labels == ([f"Leave out “{leaves_out}”"] if leaves_out else [])


def test_what_was_left_out_is_told_and_what_the_data_knows_is_never_offered_to_be_left_out() -> None:
    asked_first = read("how many people work in Lyon", KNOWN["staff"], today=TODAY, surely=True)
    assert isinstance(asked_first, Question)
    chosen = {asked_first.about: asked_first.choices[0].key}
    form = read("how many people work in Lyon", KNOWN["staff"], today=TODAY, chosen=chosen, surely=True)
    assert isinstance(form, Form)
    assert [(one.said, one.means) for one in form.reads if one.means == "left out"] == [("work", "left out")]
    assert [one.told() for one in form.where] == ["`Site` is Lyon"]

    other = read("does age have anything to do with salary", KNOWN["staff"], today=TODAY, surely=True)
    assert not isinstance(other, Question) or not any("salary" in one.label for one in other.choices[-1:])


def test_nothing_that_is_said_of_other_things_is_a_request_though_it_were_one() -> None:
    assert read("what is the best way to learn Spanish?", KNOWN["sales"], today=TODAY, surely=True) is None


@pytest.mark.parametrize(
    ("before", "said", "kind", "by", "where"),
    [
        ("compare North and South on units", "by product as well", "compare", ["`Product`"], []),
        ("units by product in the north", "drop the filter", "analyze", ["`Product`"], []),
        ("units by product in the north", "all regions", "analyze", ["`Product`"], []),
        (
            "units by product in 2023",
            "all of 2024",
            "analyze",
            ["`Product`"],
            ["`Date` from 2024-01-01 to 2024-12-31"],
        ),
    ],
)
def test_a_change_is_made_of_what_it_is_said_of(
    before: str, said: str, kind: str, by: list[str], where: list[str]
) -> None:
    changed = revise(form_of("sales", before), said, KNOWN["sales"], today=TODAY)
    assert isinstance(changed, Form)
    assert changed.kind == kind
    assert [one.told() for one in changed.by] == by
    assert [one.told() for one in changed.where] == where
    told = {one.means for one in changed.reads if one.means.startswith("`") and " is " in one.means}
    assert told <= {part.told() for one in (*changed.where, *changed.sides) for part in (one, *one.apart)}


@pytest.mark.parametrize("said", ["by region", "per month"])
def test_a_grouping_that_a_form_has_no_use_for_changes_nothing_and_is_not_told_as_if_it_did(
    said: str,
) -> None:
    assert revise(form_of("sales", "units against revenue"), said, KNOWN["sales"], today=TODAY) is None


def test_how_it_is_summed_up_may_be_changed_alone_and_what_is_not_wanted_is_no_wish() -> None:
    changed = revise(
        form_of("staff", "average salary by site"), "the median, not the average", KNOWN["staff"], today=TODAY
    )
    assert isinstance(changed, Form)
    assert [one.told() for one in changed.measures] == ["median of `Salary (EUR)`"]


def test_what_is_left_out_of_nothing_is_not_taken_in_alone() -> None:
    assert (
        revise(form_of("sales", "units by product"), "also include the north", KNOWN["sales"], today=TODAY)
        is None
    )


def test_the_biggest_of_something_is_never_the_one_that_there_are_most_different_ones_of() -> None:
    assert question_of("sales", "prove that decaf is our biggest product").about == "?measure"
    chosen = form_of("sales", "prove that decaf is our biggest product", **{"?measure": "units"})
    assert [one.told() for one in chosen.measures] == ["sum of `Units`"]
