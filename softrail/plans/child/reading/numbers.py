"""Numbers as people write them: each text is read with a decimal point and with a decimal comma, and columns decide."""

import re
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache
from typing import Final

_SIGNS: Final = {
    "$": "USD",
    "€": "EUR",
    "£": "GBP",
    "¥": "JPY",
    "₹": "INR",
    "₽": "RUB",
    "₩": "KRW",
    "₺": "TRY",
}
_CODES: Final = frozenset(
    [
        "AED",
        "AUD",
        "BRL",
        "CAD",
        "CHF",
        "CNY",
        "CZK",
        "DKK",
        "EUR",
        "GBP",
        "HKD",
        "HUF",
        "ILS",
        "INR",
        "JPY",
        "KRW",
        "MXN",
        "NOK",
        "NZD",
        "PLN",
        "RON",
        "RUB",
        "SEK",
        "SGD",
        "TRY",
        "USD",
        "ZAR",
    ]
)
#: Letters behind a number, or in brackets in a title, may be anything: only these are units.
_UNITS: Final = frozenset(
    [
        "mg",
        "g",
        "kg",
        "t",
        "mm",
        "cm",
        "m",
        "km",
        "m²",
        "m³",
        "ha",
        "ml",
        "l",
        "hl",
        "W",
        "kW",
        "MW",
        "kWh",
        "MWh",
        "GWh",
        "ms",
        "s",
        "min",
        "h",
        "d",
        "°C",
        "°F",
        "K",
        "V",
        "A",
        "Hz",
        "MB",
        "GB",
        "TB",
        "pcs",
    ]
)
#: What a title such as “rain_mm” or “amount_eur” may end with, and the unit that it is.
_TAILS: Final = {
    **{one: one for one in ("mg", "kg", "mm", "cm", "km", "ml", "ms", "min")},
    **{one.lower(): one for one in ("EUR", "USD", "GBP", "CHF", "kWh")},
    "kmh": "km/h",
    "pct": "%",
}
#: Spaces and apostrophes that stand between groups of three digits.
_GAPS: Final = " '’\u00a0\u2009\u202f"
_WRITTEN: Final = re.compile(
    r"(?P<open>\()?\s*(?P<minus>[-+−])?\s*(?:(?P<before>[A-Z]{2,3}|[A-Z]{0,2}[$€£¥₹₽₩₺])\s*)?(?P<late>[-+−])?"
    r"(?P<digits>(?:\d[\d.," + _GAPS + r"]{0,80})?\d|[.,]\d{1,40})(?P<power>[eE][-+]?\d{1,3})?"
    r"(?:(?P<percent>\s*%)|\s*(?P<sign>[$€£¥₹₽₩₺])|\s+(?P<after>[A-Za-zµ°²³/]{1,6}))?(?P<end>-)?\s*(?P<close>\))?"
)
#: As most numbers are written, and as any reader takes them.
PLAIN: Final = re.compile(r"-?(\d{1,18})(?:\.(\d{1,2}|\d{4,18}))?")


@dataclass(frozen=True, slots=True)
class Number:
    """A number: as it reads with a decimal point, and with a decimal comma; None: it does not read so."""

    point: Decimal | None
    comma: Decimal | None
    unit: str = ""
    code: bool = False  #: it begins with a zero that no number has: a post code, an article's number


@lru_cache(maxsize=65536)
def read_number(text: str) -> Number | None:
    """The number in a text; None: it is none."""
    found = _WRITTEN.fullmatch(text.strip())
    if found is None or bool(found["open"]) != bool(found["close"]):
        return None
    negative = bool(found["open"]) or bool(found["end"]) or "-" in _sign(found) or "−" in _sign(found)
    point, comma = _read(found["digits"], ".", ","), _read(found["digits"], ",", ".")
    if point is None and comma is None:
        return None
    unit = _unit(found)
    if unit is None:
        return None
    times = Decimal(10) ** int(found["power"][1:]) if found["power"] else Decimal(1)
    sign = -times if negative else times
    return Number(
        point=None if point is None else point * sign if sign != 1 else point,
        comma=None if comma is None else comma * sign if sign != 1 else comma,
        unit=unit,
        code=len(found["digits"]) > 1 and found["digits"][0] == "0" and found["digits"].isdigit(),
    )


def of_float(value: float) -> Decimal:
    """A number of a spreadsheet, which keeps 15 digits: 0.1 + 0.2 is 0.3 there, too."""
    return Decimal(format(value, ".15g"))


def unit_of(title: str) -> str:
    """The unit that a title tells: "Revenue (EUR)", "Weight [kg]", "Margin in %"; "Net amt. €", "Price, USD"."""
    found = re.search(r"[(\[]\s*([^()\[\]]{1,8}?)\s*[)\]]\s*$|\bin\s+(\S{1,4})\s*$", title)
    said = (found[1] or found[2]) if found else ""
    unit = _SIGNS.get(said, said)
    if found is None and (tail := re.search(r"[a-z0-9]_([a-z]{1,4})$", title)):
        return _of_degrees(title) if tail[1] in ("c", "f") else _TAILS.get(tail[1], "")
    if found is None and (last := re.search(r"[\s,]([^\s\w]|[A-Z]{3})\s*$", title)):
        unit = _SIGNS.get(last[1], last[1] if last[1] == "%" or last[1] in _CODES else "")
    return unit if unit == "%" or unit in _CODES or unit in _UNITS else ""


def _of_degrees(title: str) -> str:
    """“temp_c”, “body_temp_f”: a letter says what the degrees are of only where it is a temperature."""
    warm = re.search(r"(?:^|_)(?:temp|tmp|temperature)_", title) is not None
    return f"°{title[-1].upper()}" if warm else ""


def _sign(found: re.Match[str]) -> str:
    return (found["minus"] or "") + (found["late"] or "")


def _unit(found: re.Match[str]) -> str | None:
    """The unit in a text, "" for none; None: what stands there is none."""
    if found["percent"]:
        return None if found["before"] else "%"
    before, after = found["before"] or "", found["sign"] or found["after"] or ""
    if before and after:
        return None
    if before:
        return before if before in _CODES else _SIGNS.get(before[-1])
    unit = _SIGNS.get(after, after)
    return unit if not unit or unit in _CODES or unit in _UNITS else None  # "12 b" is a house


def _read(digits: str, decimal: str, group: str) -> Decimal | None:
    """The digits with that decimal sign and that sign between groups."""
    whole, _, places = digits.partition(decimal)
    if decimal in places or group in places or any(gap in places for gap in _GAPS):
        return None
    gaps = [c for c in dict.fromkeys(whole) if not c.isdigit()]
    if gaps:
        groups = whole.split(gaps[0])
        if len(gaps) > 1 or not 1 <= len(groups[0]) <= 3 or any(len(one) != 3 for one in groups[1:]):
            return None
        if groups[0].startswith("0"):
            return None
        whole = "".join(groups)
    if decimal in digits and not places:
        return None
    return Decimal(f"{whole or '0'}.{places}" if places else whole)
