"""PDF files as tests need them, written here byte by byte: whole, packed, locked, broken, without text."""

import zlib
from collections.abc import Mapping, Sequence

LINE = 14  #: points between two lines
Column = tuple[int, Sequence[str]]


def written(x: int, y: int, text: str, *, size: int = 11) -> bytes:
    """What draws a line of text on a page."""
    raw = text.encode("cp1252").replace(b"\\", b"\\\\").replace(b"(", b"\\(").replace(b")", b"\\)")
    return b"BT /F1 %d Tf 1 0 0 1 %d %d Tm (%s) Tj ET\n" % (size, x, y, raw)


def lines(*texts: str, x: int = 72, top: int = 720) -> bytes:
    """A page of lines one below the other; an empty one leaves room."""
    return b"".join(written(x, top - LINE * n, text) for n, text in enumerate(texts) if text)


def beside(*columns: Column, top: int = 700) -> bytes:
    """Columns beside each other, written row by row as some programs do."""
    count = max(len(column) for _, column in columns)
    rows = [(n, x, column[n]) for n in range(count) for x, column in columns if n < len(column)]
    return b"".join(written(x, top - LINE * n, text) for n, x, text in rows if text)


def document(*pages: bytes, more: Mapping[str, bytes] | None = None) -> bytes:
    """A file whose pages draw these; `more`: entries of its trailer."""
    objects: list[bytes] = [
        b"",
        b"",
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
    ]
    kids = []
    for drawn in pages:
        packed = zlib.compress(drawn)
        head = b"<< /Length %d /Filter /FlateDecode >>" % len(packed)
        objects.append(head + b"\nstream\n" + packed + b"\nendstream")
        objects.append(
            b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources << /Font << /F1 3 0 R >> >> "
            b"/Contents %d 0 R >>" % len(objects)
        )
        kids.append(b"%d 0 R" % len(objects))
    objects[0] = b"<< /Type /Catalog /Pages 2 0 R >>"
    objects[1] = b"<< /Type /Pages /Count %d /Kids [%s] >>" % (len(kids), b" ".join(kids))
    return assembled(objects, more)


def assembled(objects: Sequence[bytes], more: Mapping[str, bytes] | None = None) -> bytes:
    """A file of these objects, numbered from 1; the first is its catalogue."""
    out, places = b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n", []
    for number, one in enumerate(objects, start=1):
        places.append(len(out))
        out += b"%d 0 obj\n" % number + one + b"\nendobj\n"
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    entries = b"".join(b" /%s %s" % (name.encode(), value) for name, value in (more or {}).items())
    return (
        out
        + b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
        + table
        + b"trailer\n<< /Size %d /Root 1 0 R%s >>\n" % (len(objects) + 1, entries)
        + b"startxref\n%d\n%%%%EOF\n" % len(out)
    )


def packed_many_times(size: int, times: int) -> bytes:
    """A document whose one page unpacks to so many bytes, packed so many times over."""
    body = _packed_spaces(size)
    for _ in range(times - 1):
        body = zlib.compress(body, 9)
    filters = b" ".join([b"/FlateDecode"] * times)
    stream = b"<< /Length %d /Filter [%s] >>\nstream\n" % (len(body), filters) + body + b"\nendstream"
    page = b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 3 0 R >>"
    return assembled(
        [b"<< /Type /Catalog /Pages 2 0 R >>", b"<< /Type /Pages /Count 1 /Kids [4 0 R] >>", stream, page]
    )


def _packed_spaces(size: int) -> bytes:
    """So many spaces, packed; a million are packed and the block is repeated, as nothing in it looks back."""
    spaces = b" " * 1_000_000
    packer = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS)
    block = packer.compress(spaces) + packer.flush(zlib.Z_FULL_FLUSH)
    times, rest = divmod(size, len(spaces))
    assert rest == 0, "a whole number of millions"
    check = 1
    for _ in range(times):
        check = zlib.adler32(spaces, check)
    return b"\x78\xda" + block * times + packer.flush() + check.to_bytes(4, "big")


def locked(raw: bytes, password: str) -> bytes:
    """The same file, to be opened with a password alone; encrypted as the reader's own writer does it."""
    import io

    import pypdf

    writer = pypdf.PdfWriter(clone_from=io.BytesIO(raw))
    writer.encrypt(user_password=password, owner_password="owner", algorithm="AES-256")
    out = io.BytesIO()
    writer.write(out)
    return out.getvalue()
