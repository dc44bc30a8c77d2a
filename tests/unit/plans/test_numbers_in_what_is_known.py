"""What a model says from its own knowledge has no number in it, however it is written."""

import random

import pytest

from softrail.language.recognition import recognition
from softrail.plans.thinking.amounts import amounts, says_amount, written_in
from softrail.plans.thinking.knowing import has_number
from tests.number_words import IN_WORDS

DIGITS = "0123456789٠١٢٣٤٥٦٧٨٩०१२３４５²½Ⅻ①"
WORDS = [
    "zero",
    "one",
    "seven",
    "eleven",
    "nineteen",
    "forty",
    "ninety",
    "hundred",
    "thousand",
    "million",
    "dozen",
    "half",
    "twice",
    "doubled",
    "percent",
    "tenfold",
    "zeros",
    "twentieth",
    "quintupled",
    "couple",
    "twen\u00adty",
    "sev\u200ben",
]
PHRASES = ("a third", "a quarter", "two-fifths", "an eighth of it, three eighths", "MCMXC", "XLV")
FRAMES = (
    "Revenue is {}.",
    "It was {} EUR in the North.",
    "Usually ({}) of them leave,",
    "{}",
    "The growth: {}; it is sure.",
    "About\u00a0{}\u200b of all.",
)


def lies() -> list[str]:
    """Five hundred sentences with a number in them; the same each time."""
    dice = random.Random(7)
    made = []
    for n in range(500):
        number = (
            "".join(dice.choice(DIGITS) for _ in range(dice.randint(1, 6))),
            dice.choice(WORDS),
            dice.choice(WORDS).upper(),
            dice.choice(PHRASES),
        )[n % 4]
        made.append(dice.choice(FRAMES).format(number))
    return made


def test_of_five_hundred_numbers_none_is_overlooked() -> None:
    assert [one for one in lies() if not has_number(one)] == []


@pytest.mark.parametrize(
    "said",
    [
        "Churn is the share of customers who leave in a period.",
        "Each quarter ends with its last month.",
        "The median is the middle value, which outliers do not move.",
        "Gross margin is what is left of revenue after the cost of goods.",
        "I would first look at the customers who came often.",
        "A CSV file keeps a table as text.",
        "",
    ],
)
def test_words_without_a_number_may_be_said(said: str) -> None:
    assert not has_number(said)


#: Sentences with room for a number, and other words that say how many.
ELSEWHERE = {
    "de": (
        (
            "Es sind {} von den Kunden.",
            "Die Marge ist in der Regel ({}) für das Jahr.",
            "Es ist {}, und das ist viel.",
        ),
        [
            "Prozent",
            "hälfte",
            "verdoppelt",
            "dreifach",
            "ein Viertel",
            "zweimal",
            "Dutzend",
            "Jahrzehnt",
            "Millionen",
        ],
        ["zweistellig", "dreijährig", "zehnprozentig", "Halbjahr", "fünfköpfig", "Vierteljahr"],
    ),
    "fr": (
        (
            "Il y en a {} dans le mois.",
            "La marge est ({}) pour les clients.",
            "Ce sont {}, et c'est la règle.",
        ),
        [
            "pour cent",
            "la moitié",
            "doublé",
            "le triple",
            "un tiers",
            "une douzaine",
            "une centaine",
            "millions",
        ],
        ["vingtième", "quadruplent", "redoublé", "centième"],
    ),
    "es": (
        ("Son {} de los clientes.", "El margen es ({}) en el mes.", "Es {}, y es lo que se paga."),
        ["por ciento", "la mitad", "el doble", "un tercio", "una docena", "millones", "un millar"],
        ["vigésimo", "duplicaron", "millonésimo", "triplican"],
    ),
    "it": (
        ("Sono {} dei clienti nel mese.", "Il margine è ({}) per il mese.", "È {}, ed è la regola."),
        ["percento", "la metà", "il doppio", "un terzo", "una dozzina", "milioni", "un centinaio"],
        ["raddoppiano", "ventennale", "trentesimo", "triplicano"],
    ),
    "pt": (
        ("São {} dos clientes no mês.", "A margem é ({}) para o mês.", "É {}, e é o que se paga."),
        ["por cento", "a metade", "o dobro", "um terço", "uma dúzia", "milhões", "uma centena"],
        ["vigésimo", "dobraram", "triplicaram", "trintena"],
    ),
    "nl": (
        ("Het zijn {} van de klanten.", "De marge is ({}) in het jaar.", "Het is {}, en dat is veel."),
        ["procent", "de helft", "het dubbele", "een derde", "een dozijn", "miljoenen", "drievoudig"],
        ["tweejarig", "verdubbelden", "driemaandelijks", "honderdtal"],
    ),
}


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("en", "A seventh of the people live in the city."),
        ("en", "A fourth of the water is lost, and a ninth of it is used."),
        ("en", "It is told in fourths, or in sevenths, of the whole."),
        ("en", "They would give the tenth part of the crop to the church."),
        ("de", "Ein Viertel der Menschen ist auf dem Land."),
        ("de", "Der dritte Teil der Menschen ist auf dem Land."),
        ("fr", "Un tiers de la population est dans la ville."),
        ("fr", "Le quart de la population est dans la ville."),
        ("es", "La tercera parte de la población vive en la costa."),
        ("es", "Es la quinta parte de la energía del país."),
        ("es", "La octava parte de las plantas es de la costa."),
        ("es", "Un sexto de la gente vive en la costa."),
        ("es", "Un séptimo de la gente vive en la costa."),
        ("es", "Es un doceavo de la energía del país."),
        ("it", "La terza parte della popolazione è in città."),
        ("it", "I sesti e gli ottavi della popolazione non sono in città."),
        ("pt", "A quarta parte da energia é do vento."),
        ("pt", "É a sétima parte da energia do país."),
        ("pt", "Um sexto da energia é do vento."),
        ("nl", "Een derde van de mensen is in de stad."),
        ("nl", "Een kwart van het water is in de stad."),
        ("nl", "Het vierde deel van het water is in de stad."),
    ],
)
def test_a_part_of_a_whole_is_a_number_in_each_language(code: str, said: str) -> None:
    assert (written_in(said), says_amount(said, code)) == (code, True)


#: Words for a number that are ordinary ones in another language.
ORDINARY = {"elf", "ten", "once", "dos", "tres", "doce", "quince", "due", "tre", "sei", "sete", "sechs"} | {
    "un",
    "um",
    "een",
    "uno",
}


@pytest.mark.parametrize("code", sorted(IN_WORDS))
def test_each_number_below_a_thousand_is_seen_in_each_language(code: str) -> None:
    frames = ELSEWHERE[code][0] if code in ELSEWHERE else ("It is {} of the customers.",)
    said = [frames[n % len(frames)].format(IN_WORDS[code](n)) for n in range(2, 1000)]
    assert [one for one in said if not (says_amount(one, code) and has_number(one))] == []


@pytest.mark.parametrize("code", sorted(ELSEWHERE))
def test_and_where_it_stands_in_a_sentence_of_another_language(code: str) -> None:
    said = [IN_WORDS[code](n) for n in range(2, 1000)]
    for other, (frames, _, _) in ELSEWHERE.items():
        unseen = {one for one in said if not says_amount(frames[0].format(one), other)}
        assert unseen <= ORDINARY, other
    assert {one for one in said if not says_amount(f"It is {one} of the customers.", "en")} <= ORDINARY


@pytest.mark.parametrize("code", sorted(ELSEWHERE))
def test_of_five_hundred_lies_in_another_language_none_is_overlooked(code: str) -> None:
    dice = random.Random(11)
    frames, amount, made_of_one = ELSEWHERE[code]
    lies = []
    for n in range(500):
        number = (
            IN_WORDS[code](dice.randint(2, 999)),
            dice.choice(amount),
            dice.choice(made_of_one).upper(),
        )[n % 3]
        lies.append(dice.choice(frames).format(number))
    assert [one for one in lies if not says_amount(one, code)] == []


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("de", "Die Marge ist der Anteil am Umsatz, der nach den Kosten übrig bleibt."),
        ("de", "Der Median ist der mittlere Wert, den Ausreißer kaum bewegen."),
        ("de", "Das ist ohne Zweifel einfach der Preis, auf den man achtet."),
        ("de", "Die Nullhypothese ist die Annahme, dass es keinen Unterschied gibt."),
        ("fr", "La marge est ce qui reste du chiffre d'affaires après le coût des marchandises."),
        ("fr", "La médiane est la valeur du milieu, que les valeurs extrêmes ne déplacent pas."),
        ("es", "El margen es lo que queda de los ingresos después del coste de los productos."),
        ("es", "La media es la suma de los valores entre su número."),
        ("it", "Il margine è ciò che resta dei ricavi dopo il costo delle merci."),
        ("it", "La media è la somma dei valori divisa per il loro numero."),
        ("pt", "A margem é o que sobra da receita depois do custo dos produtos."),
        ("pt", "A taxa de abandono é a parte dos clientes que saem em um período."),
        ("nl", "De marge is wat er van de omzet overblijft na de kosten van de goederen."),
        ("nl", "Het is eenvoudig: het is de prijs waarvoor je verkoopt, ten minste op de markt."),
        ("en", "A due date is the day by which something must be paid, at once or later."),
        ("en", "The third of them is what you would have to look at."),
        ("es", "La mayor parte de la gente vive en la costa, y la primera parte de la novela es de ella."),
        ("pt", "A maior parte da energia é do vento."),
        ("it", "La maggior parte della gente è in città."),
        ("en", "The null hypothesis is the claim that nothing differs."),
        ("en", "The β of a share tells how it moves with the market."),
    ],
)
def test_what_is_said_without_a_number_may_be_shown_in_each_language(code: str, said: str) -> None:
    assert (written_in(said), has_number(said)) == (code, False)


@pytest.mark.parametrize(
    "said",
    [
        "Marginalen är det som är kvar av intäkterna efter kostnaderna.",
        "Marża to to, co zostaje z przychodu po odjęciu kosztów.",
        "Marginen er det som er igjen av omsetningen etter kostnadene.",
        "Marja este ceea ce rămâne din venituri după costul bunurilor.",
        "Маржа — это то, что остаётся от выручки.",
        "The margin is двадцать of the revenue.",
        "The margin is sеven of the revenue.",  # with a letter of another alphabet in it
        "利益率は収益に対する割合です。",
        "Marge.",
    ],
)
def test_in_any_other_language_nobody_would_see_a_number_so_it_is_not_shown(said: str) -> None:
    assert has_number(said)


def test_every_language_that_is_told_apart_has_its_words() -> None:
    assert set(amounts()) == set(recognition().codes) == set(IN_WORDS)
