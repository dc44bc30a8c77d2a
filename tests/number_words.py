"""Numbers in words, as seven languages put them together: written for tests alone, and not as the guard reads them."""

from collections.abc import Callable
from typing import Final


def _each(words: str) -> list[str]:
    return words.split()


_EN: Final = _each(
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen"
)
_EN_TENS: Final = _each("twenty thirty forty fifty sixty seventy eighty ninety")
_DE: Final = _each(
    "null eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn sechzehn siebzehn achtzehn neunzehn"
)
_DE_TENS: Final = _each("zwanzig dreißig vierzig fünfzig sechzig siebzig achtzig neunzig")
_FR: Final = _each(
    "zéro un deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize dix-sept dix-huit dix-neuf"
)
_FR_TENS: Final = _each("vingt trente quarante cinquante soixante")
_ES: Final = _each(
    "cero uno dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciséis diecisiete dieciocho "
    "diecinueve veinte veintiuno veintidós veintitrés veinticuatro veinticinco veintiséis veintisiete veintiocho veintinueve"
)
_ES_TENS: Final = _each("treinta cuarenta cincuenta sesenta setenta ochenta noventa")
_ES_HUNDREDS: Final = _each(
    "ciento doscientos trescientos cuatrocientos quinientos seiscientos setecientos ochocientos novecientos"
)
_IT: Final = _each(
    "zero uno due tre quattro cinque sei sette otto nove dieci undici dodici tredici quattordici quindici sedici diciassette "
    "diciotto diciannove"
)
_IT_TENS: Final = _each("venti trenta quaranta cinquanta sessanta settanta ottanta novanta")
_PT: Final = _each(
    "zero um dois três quatro cinco seis sete oito nove dez onze doze treze catorze quinze dezesseis dezessete dezoito dezenove"
)
_PT_TENS: Final = _each("vinte trinta quarenta cinquenta sessenta setenta oitenta noventa")
_PT_HUNDREDS: Final = _each(
    "cento duzentos trezentos quatrocentos quinhentos seiscentos setecentos oitocentos novecentos"
)
_NL: Final = _each(
    "nul een twee drie vier vijf zes zeven acht negen tien elf twaalf dertien veertien vijftien zestien zeventien achttien negentien"
)
_NL_TENS: Final = _each("twintig dertig veertig vijftig zestig zeventig tachtig negentig")


def _english(n: int) -> str:
    if n < 20:
        return _EN[n]
    if n < 100:
        return _EN_TENS[n // 10 - 2] + (f"-{_EN[n % 10]}" if n % 10 else "")
    return f"{_EN[n // 100]} hundred" + (f" and {_english(n % 100)}" if n % 100 else "")


def _german(n: int) -> str:
    if n < 20:
        return _DE[n]
    if n < 100:
        one = {1: "ein"}.get(n % 10, _DE[n % 10])
        return (f"{one}und" if n % 10 else "") + _DE_TENS[n // 10 - 2]
    return ("ein" if n < 200 else _DE[n // 100]) + "hundert" + (_german(n % 100) if n % 100 else "")


def _french(n: int) -> str:
    if n < 20:
        return _FR[n]
    if n < 70:
        joint = " et " if n % 10 == 1 else "-"
        return _FR_TENS[n // 10 - 2] + (f"{joint}{_FR[n % 10]}" if n % 10 else "")
    if n < 80:
        return f"soixante{' et ' if n == 71 else '-'}{_FR[n - 60]}"
    if n < 100:
        return "quatre-vingts" if n == 80 else f"quatre-vingt-{_FR[n - 80]}"
    hundreds = "cent" if n < 200 else f"{_FR[n // 100]} cent"
    return f"{hundreds} {_french(n % 100)}" if n % 100 else hundreds + ("s" if n >= 200 else "")


def _spanish(n: int) -> str:
    if n < 30:
        return _ES[n]
    if n < 100:
        return _ES_TENS[n // 10 - 3] + (f" y {_ES[n % 10]}" if n % 10 else "")
    return "cien" if n == 100 else _ES_HUNDREDS[n // 100 - 1] + (f" {_spanish(n % 100)}" if n % 100 else "")


def _italian(n: int) -> str:
    if n < 20:
        return _IT[n]
    if n < 100:
        tens, one = _IT_TENS[n // 10 - 2], {0: "", 3: "tré"}.get(n % 10, _IT[n % 10])
        return (tens[:-1] if n % 10 in (1, 8) else tens) + one
    return ("" if n < 200 else _IT[n // 100]) + "cento" + (_italian(n % 100) if n % 100 else "")


def _portuguese(n: int) -> str:
    if n < 20:
        return _PT[n]
    if n < 100:
        return _PT_TENS[n // 10 - 2] + (f" e {_PT[n % 10]}" if n % 10 else "")
    return (
        "cem" if n == 100 else _PT_HUNDREDS[n // 100 - 1] + (f" e {_portuguese(n % 100)}" if n % 100 else "")
    )


def _dutch(n: int) -> str:
    if n < 20:
        return _NL[n]
    if n < 100:
        one = _NL[n % 10]
        return (one + ("ën" if one.endswith("e") else "en") if n % 10 else "") + _NL_TENS[n // 10 - 2]
    return ("" if n < 200 else _NL[n // 100]) + "honderd" + (_dutch(n % 100) if n % 100 else "")


#: How a number below a thousand is said, by the code of the language.
IN_WORDS: Final[dict[str, Callable[[int], str]]] = {
    "en": _english,
    "de": _german,
    "fr": _french,
    "es": _spanish,
    "it": _italian,
    "pt": _portuguese,
    "nl": _dutch,
}
