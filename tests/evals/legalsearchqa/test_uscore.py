"""The U-Score: every list, every quirk, each value computed by hand."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inforce.evals.legalsearchqa.uscore import (
    CODE,
    PAPER,
    Parts,
    band,
    citations,
    decisiveness,
    expected_in,
    hedging,
    jurisdiction,
    parts_of,
    temporal_vagueness,
    weight,
)

WORDS = """
may might could possibly potentially likely probably perhaps seemingly apparently arguably
presumably conceivably plausibly seems appears suggests indicates implies hints unclear uncertain
unsure ambiguous debatable questionable doubtful unknown undetermined generally typically usually
often sometimes occasionally rarely seldom assume assuming suppose supposing hypothetically
theoretically if
"""
PHRASES = [
    "looks like",
    "in some cases",
    "in certain cases",
    "provided that",
    "in case",
    "in my opinion",
    "in my view",
    "to my knowledge",
    "as of my last update",
    "subject to change",
    "at the time of writing",
    "current as of",
]
TWICE = ["it seems", "it appears", "may have changed"]
NEVER = ["I think", "I believe", "as far as I know", "from what I understand", "last I checked"]


def in_twenty_words(phrase: str) -> str:
    return " ".join([*phrase.split(), *["word"] * (20 - len(phrase.split()))])


@pytest.mark.parametrize(
    ("phrase", "expected"),
    [
        *((one, 0.5) for one in (*WORDS.split(), *PHRASES)),
        *((one, 1.0) for one in TWICE),
        *((one, 0.0) for one in NEVER),
    ],
)
def test_one_hedge_in_twenty_words_is_half_of_the_most(phrase: str, expected: float) -> None:
    assert hedging(in_twenty_words(phrase)) == expected
    assert hedging(in_twenty_words(phrase).upper()) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", 0.0),
        (" \n ", 0.0),
        ("the employer pays", 0.0),
        ("mayor dismay iffy coulds", 0.0),
        ("it may, may and may be " + "word " * 44, 0.6),  # 3 in 50
        ("may " + "word " * 99, 0.1),
        ("may " * 10 + "word " * 90, 1.0),
        ("may might could", 1.0),
        ("in some case " + "word " * 17, 0.0),
        ("if-then " + "word " * 99, 0.1),
    ],
)
def test_hedges_are_counted_as_whole_words_and_capped_at_ten_in_a_hundred(
    text: str, expected: float
) -> None:
    assert hedging(text) == pytest.approx(expected)


@pytest.mark.parametrize(
    "word",
    [
        *("recent", "recently", "lately", "current", "currently", "ongoing", "pending"),
        *("forthcoming", "upcoming", "soon", "in the near future", "in the past"),
        *("historically", "as of my last update", "at some point", "eventually"),
    ],
)
def test_a_vague_time_beside_one_exact_time_is_one_half(word: str) -> None:
    assert temporal_vagueness(f"The rule is {word}.") == 1.0
    assert temporal_vagueness(f"The rule of 2024 is {word}; {word.upper()}!") == 0.5


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", 0.5),
        ("The employer pays.", 0.5),
        ("Since 2024, and again in 2025.", 0.0),
        ("A recent rule, recently made.", 1.0),
        ("Pending and upcoming since January 5, 2024.", 2 / 3),
        ("Pending since January 5 2024 and March 1, 2025.", 1 / 3),
        ("Pending since 12/25/2024.", 0.5),
        ("Pending since 1/2/24 and 3/4/24.", 1 / 3),
        ("Pending since Q1 2024.", 0.5),
        ("Pending since Spring 2024.", 0.5),
        ("Pending under section 1234.", 0.5),
        ("Pending since 2024-01-05.", 0.5),
        ("Pending under section 12345.", 1.0),
        ("Pending for 90 days.", 1.0),
        ("Sooner or later.", 0.5),
    ],
)
def test_vague_times_count_once_each_and_exact_ones_every_time(text: str, expected: float) -> None:
    assert temporal_vagueness(text) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("https://www.irs.gov/taxes", 1.0),
        ("https://gov.uk/", 0.1),
        ("https://x.gov.uk/", 1.0),
        ("https://nj.courts.example/", 1.0),
        ("https://court.example/", 0.1),
        ("https://nj.court.example/", 1.0),
        ("https://supreme.justia.com/cases/1", 1.0),
        ("https://www.courtlistener.com/x", 1.0),
        ("https://commission.eu/x", 1.0),
        ("https://commission.eu", 0.1),
        ("https://ec.europa.eu", 1.0),
        ("https://gdpr-info.eu", 1.0),
        ("https://eur-lex.europa.eu/x", 1.0),
        ("https://www.harvard.edu/", 0.7),
        ("https://law.justia.com/", 0.7),
        ("https://www.findlaw.com/", 0.7),
        ("https://www.law.cornell.org/", 0.7),
        ("https://www.charity.org.uk/", 0.7),
        ("https://www.ox.ac.uk/", 0.7),
        ("https://blog.harvard.edu/", 0.7),
        ("https://www.NOLO.com/", 0.5),
        ("https://www.avvo.com/", 0.5),
        ("https://www.lawyers.com/", 0.5),
        ("https://www.americanbar.org/", 0.5),
        ("https://www.lexology.com/", 0.5),
        ("https://www.mondaq.com/blog", 0.5),
        ("https://www.reddit.com/r/law", 0.2),
        ("https://www.quora.com/", 0.2),
        ("https://law-forum.example/", 0.2),
        ("https://example.org/blog/1", 0.2),
        ("https://medium.com/x", 0.2),
        ("https://www.gtlaw.com/en", 0.1),
        ("29 U.S.C. § 206", 0.1),
    ],
)
def test_a_source_has_the_weight_of_the_first_class_it_fits(source: str, expected: float) -> None:
    assert weight(source) == expected


IRS, NOLO, REDDIT = "https://www.irs.gov/a", "https://www.nolo.com/b", "https://reddit.com/c"


@pytest.mark.parametrize(
    ("text", "sources", "expected"),
    [
        ("No source.", (), 1.0),
        ("", (), 1.0),
        (f"See {IRS}.", (), 1 / 3),
        (f"See ({IRS}) and ({NOLO}).", (), 0.0),
        (f"See {IRS} and {IRS}", (), 0.0),
        (f"See {NOLO} and {REDDIT}", (), 1 - 0.7 / 1.5),
        ("See www.irs.gov", (), 1.0),
        ("See HTTPS://WWW.IRS.GOV", (), 1.0),
        (f"See {IRS}", (REDDIT,), 1 - 0.2 / 1.5),
        ("No source.", (IRS, IRS, IRS), 0.0),
    ],
)
def test_citations_lack_what_is_missing_to_one_and_a_half(
    text: str, sources: tuple[str, ...], expected: float
) -> None:
    assert citations(text, sources) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The employer pays.", 1.0),
        ("Federal law", 0.4),
        ("In the U.S. it is so", 0.4),
        ("The US rule", 0.4),
        ("It tells us nothing", 0.4),
        ("United States", 0.4),
        ("nationwide", 0.4),
        ("Bus stops", 1.0),
        ("State law", 0.4),
        ("A statement", 1.0),
        ("California and Texas", 0.4),
        ("New York, Florida, Illinois, Pennsylvania, Ohio", 0.4),
        ("GDPR in Europe", 0.4),
        ("the General Data Protection Regulation of the European Union (EU)", 0.4),
        ("The Supreme Court", 0.4),
        ("Ninth Circuit", 0.4),
        ("District Court", 0.4),
        ("Court of Appeals", 0.4),
        ("The court", 1.0),
        ("your local county", 0.4),
        ("the city and the municipality of that jurisdiction", 0.4),
        ("Federal and state law", 0.2),
        ("The Supreme Court of California", 0.2),
    ],
)
def test_one_kind_of_place_is_less_certain_than_two(text: str, expected: float) -> None:
    assert jurisdiction(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("California and federal law", 0.0),
        ("CALIFORNIA", 0.0),
        ("Texas and federal law", 0.5),
        ("the employer pays", 1.0),
    ],
)
def test_an_expected_place_is_all_that_counts_once_any_place_is_named(
    text: str, expected: float
) -> None:
    assert jurisdiction(text, "California") == expected


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("A California employer under federal law", "California"),
        ("A landlord of New York under federal law", "New York"),
        ("Under federal law", "Federal"),
        ("In the US", "Federal"),
        ("Who must file?", "Federal"),
        ("Who will file?", None),
    ],
)
def test_the_place_of_a_question_is_guessed_by_the_released_rule(
    question: str, expected: str | None
) -> None:
    assert expected_in(question) == expected


@pytest.mark.parametrize(
    ("disclaimer", "expected"),
    [
        ("Consult with an attorney", 0.8),
        ("Consult a lawyer", 0.8),
        ("Seek professional help and advice", 0.8),
        ("The situation might well evolve", 0.8),
        ("It depends on your individual circumstances", 0.8),
        ("I cannot provide specific advice", 0.8),
        ("for educational purposes", 0.8),
        ("It varies greatly by location", 0.8),
        ("on a case-by-case basis", 0.8),
        ("This is not legal advice", 0.5),  # "legal" is a word of the rules
        ("another paralegal gave advice", 0.8),  # anOTher, paraLEGAL
        ("another one advised", 0.5),
        ("Consult a friend", 0.5),
        ("It depends on the circumstances", 0.5),
    ],
)
def test_a_disclaimer_without_a_rule_is_uncommitted(disclaimer: str, expected: float) -> None:
    assert decisiveness(disclaimer) == expected


@pytest.mark.parametrize(
    ("rules", "other"),
    [
        (("yes", "no", "definitely", "certainly", "absolutely", "clearly"), "lawful"),
        (("must", "required", "prohibited", "allowed", "permitted", "forbidden"), "lawful"),
        (("legal", "illegal", "lawful", "unlawful", "valid", "invalid"), "eligible"),
        (("entitled", "eligible", "qualified", "authorized"), "lawful"),
        (("up to", "maximum", "minimum", "exactly", "specifically"), "lawful"),
        (("is determined", "will be", "can be", "applies to"), "lawful"),
        (("5 million", "5 euro", "5 euros", "5 dollar", "5dollars", "5%", "5 percent"), "lawful"),
    ],
)
def test_one_kind_of_rule_is_not_enough_and_two_are(rules: tuple[str, ...], other: str) -> None:
    for rule in rules:
        assert decisiveness(f"It is {rule} so") == 0.5
        assert decisiveness(f"It is {rule}\nand {other}") == 0.0
    assert decisiveness("\n".join(rules)) == 0.5


@pytest.mark.parametrize(
    "condition",
    [
        "if so, then pay",
        "provided that it is paid",
        "as long as it is paid",
        "when you pay",
        "when paid, their share",
        "yes, if paid",
        "not specified",
        "a specific rule, and then more",
    ],
)
def test_a_condition_with_a_rule_is_clear_enough(condition: str) -> None:
    assert decisiveness(f"{condition}\nIt is lawful.") == 0.3
    assert decisiveness(f"{condition}\nIt is lawful, and you must.") == 0.3


CONSULT, VARIES, CASES = "Consult counsel.", "It varies by state.", "On a case by case basis."


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", 0.5),
        ("The employer pays.", 0.5),
        ("when you pay", 0.5),
        ("It is unlawful.", 0.5),
        (f"{CONSULT}\n{VARIES}\n{CASES}", 1.0),
        (f"{CONSULT}\n{VARIES}\n{CASES}\nYou must. It is lawful.", 1.0),
        (f"{CONSULT}\n{VARIES}", 0.8),
        (f"{CONSULT}\n{VARIES}\nYou must.", 0.5),
        (f"{CONSULT}\nYou must. It is lawful.", 0.0),
        (f"{CONSULT}\nYou must, as long as it lasts.", 0.3),
        (f"{CONSULT}\nAs long as it lasts.", 0.8),
        ("Consult\nan attorney.", 0.5),
        ("The fine is $5.", 0.5),
        ("You must pay 10% of it.", 0.0),
        ("YOU MUST PAY EXACTLY THIS", 0.0),
    ],
)
def test_the_first_rule_that_holds_decides(text: str, expected: float) -> None:
    assert decisiveness(text) == expected


def test_the_parts_are_weighed_as_the_code_and_as_the_paper_weigh() -> None:
    nothing = parts_of("")
    assert nothing == Parts(0.0, 0.5, 1.0, 1.0, 0.5)
    assert nothing.weighed() == pytest.approx(0.625)
    assert nothing.weighed(PAPER) == pytest.approx(0.575)
    each = Parts(0.1, 0.2, 0.3, 0.4, 0.5)
    assert each.weighed(CODE) == pytest.approx(0.02 + 0.02 + 0.075 + 0.08 + 0.125)
    assert each.weighed(PAPER) == pytest.approx(0.025 + 0.04 + 0.075 + 0.06 + 0.075)


def test_a_whole_answer_has_the_score_computed_by_hand() -> None:
    answer = (
        "Yes. Since January 20, 2025 the federal order is no longer valid, and agencies must stop "
        "(https://www.federalregister.gov/x). California may act on its own."
    )
    # 23 words with one hedge ("may"); no vague time; one primary source; federal and state; rules,
    # and a condition, as the "no" is followed by the "if" of "California"
    parts = parts_of(answer)
    assert parts.hedging == pytest.approx(100 / 23 / 10)
    assert (parts.temporal_vagueness, parts.jurisdiction, parts.decisiveness) == (0.0, 0.2, 0.3)
    assert parts.citations == pytest.approx(1 / 3)
    code = 0.20 * 10 / 23 + 0.25 / 3 + 0.20 * 0.2 + 0.25 * 0.3
    paper = 0.25 * 10 / 23 + 0.25 / 3 + 0.15 * 0.2 + 0.15 * 0.3
    assert parts.weighed() == pytest.approx(code)
    assert parts.weighed(PAPER) == pytest.approx(paper)


@pytest.mark.parametrize(
    ("score", "expected"),
    [
        (0.0, "highly certain"),
        (0.1999, "highly certain"),
        (0.2, "good"),
        (0.4, "moderate"),
        (0.6, "high uncertainty"),
        (0.7999, "high uncertainty"),
        (0.8, "very high uncertainty"),
        (1.0, "very high uncertainty"),
    ],
)
def test_a_band_begins_with_its_lower_bound(score: float, expected: str) -> None:
    assert band(score) == expected


@given(st.text())
def test_every_part_and_every_score_is_between_zero_and_one(text: str) -> None:
    parts = parts_of(text)
    for value in (parts.weighed(), parts.weighed(PAPER), *map(float, _values(parts))):
        assert 0.0 <= value <= 1.0 + 1e-12


def _values(parts: Parts) -> tuple[float, ...]:
    return (
        parts.hedging,
        parts.temporal_vagueness,
        parts.citations,
        parts.jurisdiction,
        parts.decisiveness,
    )


@given(st.lists(st.sampled_from([IRS, NOLO, REDDIT]), min_size=1), st.sampled_from([IRS, NOLO]))
def test_another_source_never_makes_an_answer_less_certain(sources: list[str], more: str) -> None:
    assert citations("", [*sources, more]) <= citations("", sources)
