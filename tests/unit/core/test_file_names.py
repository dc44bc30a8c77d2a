"""Names of files: whatever is sent, what is kept can be saved under and put into a header."""

import pytest

from softrail.core.files import disposition, media_type, safe_name

NAMES = {
    "up and out": ("../../etc/passwd", "passwd"),
    "absolute": ("/etc/shadow", "shadow"),
    "windows path": ("C:\\Users\\ada\\plan.pdf", "plan.pdf"),
    "encoded dots": ("%2e%2e%2fplan.pdf", "_2e_2e_2fplan.pdf"),
    "full-width dots and slash": ("．．／plan.pdf", "plan.pdf"),
    "one-dot leaders": ("․․/plan.pdf", "plan.pdf"),
    "NUL": ("plan.pdf\0.exe", "plan.pdf.exe"),
    "line break": ('a"\r\nSet-Cookie: x=1.txt', "a_Set-Cookie_ x=1.txt"),
    "reserved": ("CON.txt", "_CON.txt"),
    "reserved with two endings": ("com1.tar.gz", "_com1.tar.gz"),
    "only dots": ("...", "file"),
    "nothing": ("", "file"),
    "hidden": (".bashrc", "bashrc"),
    "a name of today": ("Größe – Übersicht.md", "Größe – Übersicht.md"),
    "right to left": ("\u202egnp.exe", "gnp.exe"),
    "lone surrogate": ("a\ud800b.txt", "ab.txt"),
    "stream": ("plan.txt:hidden", "plan.txt_hidden"),
}


@pytest.mark.parametrize(("sent", "kept"), [pytest.param(*pair, id=name) for name, pair in NAMES.items()])
def test_a_name_is_made_safe_and_stays_so(sent: str, kept: str) -> None:
    assert safe_name(sent) == kept
    assert safe_name(kept) == kept


def test_a_long_name_is_cut_and_keeps_its_ending() -> None:
    assert len(safe_name("x" * 5_000 + ".pdf")) <= 150
    assert safe_name("x" * 5_000 + ".pdf").endswith("x.pdf")


def test_the_header_of_a_download_has_both_forms_of_the_name() -> None:
    header = disposition("Größe 1.md")
    assert header == "attachment; filename=\"Gr__e 1.md\"; filename*=UTF-8''Gr%C3%B6%C3%9Fe%201.md"


def test_no_name_can_end_the_header_or_begin_another() -> None:
    for sent, _ in NAMES.values():
        header = disposition(sent.encode("utf-8", "ignore").decode())
        assert header.isascii()
        assert header.isprintable()
        assert header.count('"') == 2


def test_what_a_name_announces_does_not_depend_on_the_machine() -> None:
    assert media_type("plan.md") == "text/markdown"
    assert media_type("plan.pdf") == "application/pdf"
    assert media_type("plan") == "application/octet-stream"
