"""Columns beside each other are read one after the other; what belongs together in a row stays in it."""

from collections.abc import Sequence

from softrail.plans.child.columns import unfolded

LEFT = [
    "The rent is paid on the first",
    "day of each month, in advance,",
    "to the account of the owner who",
    "names it in writing.",
]
RIGHT = [
    "Either side may end the lease.",
    "The notice period is three",
    "months, counted from the end of",
    "the month in which it is given.",
]
THIRD = [
    "Pets are welcome in the house,",
    "as long as they are quiet after",
    "sunset and no neighbour finds",
    "a reason to complain of them.",
]


def laid_out(*columns: Sequence[str], width: int = 40) -> str:
    rows = zip(*columns, strict=True)
    return "\n".join("".join(cell.ljust(width) for cell in row).rstrip() for row in rows)


def test_two_columns_are_read_one_after_the_other() -> None:
    assert unfolded(laid_out(LEFT, RIGHT)).split("\n") == [*LEFT, "", *RIGHT]


def test_so_are_three() -> None:
    assert [line for line in unfolded(laid_out(LEFT, THIRD, RIGHT)).split("\n") if line] == [
        *LEFT,
        *THIRD,
        *RIGHT,
    ]


def test_a_title_across_both_stands_where_it_stands() -> None:
    title = "A lease of the shop in the long street by the river, as both have agreed upon"
    page = f"{title}\n{laid_out(LEFT, RIGHT)}\n{title.upper()}\n{laid_out(THIRD, LEFT)}"
    read = [line for line in unfolded(page).split("\n") if line]
    assert read == [title, *LEFT, *RIGHT, title.upper(), *THIRD, *LEFT]


def test_columns_of_different_length_and_paragraphs_in_them_stay_apart() -> None:
    page = laid_out([*LEFT, "", "Short."], [*RIGHT, "", ""])
    assert unfolded(page).strip().split("\n\n") == ["\n".join(LEFT), "Short.", "\n".join(RIGHT)]


def test_a_beginning_that_is_one_blank_off_is_still_the_same_column() -> None:
    page = laid_out(LEFT, [f" {RIGHT[0]}", *RIGHT[1:]])
    assert [line for line in unfolded(page).split("\n") if line] == [*LEFT, *RIGHT]


def test_rows_of_a_table_stay_rows() -> None:
    names, many = (
        ["Region", "North", "South West", "East", "West"],
        ["Revenue", "1,200.00", "90.00", "3.00", "4.00"],
    )
    assert unfolded(laid_out(names, many)).split("\n") == [
        f"{one} {other}" for one, other in zip(names, many, strict=True)
    ]


def test_short_names_beside_long_texts_stay_with_them() -> None:
    names = ["Landlord", "Tenant", "Object", "Deposit"]
    assert unfolded(laid_out(names, RIGHT)).split("\n")[3] == f"Deposit {RIGHT[3]}"


def test_text_in_one_column_is_left_as_it_is() -> None:
    assert unfolded("\n".join([*LEFT, "", *RIGHT])) == "\n".join([*LEFT, "", *RIGHT])
    assert unfolded("") == ""
