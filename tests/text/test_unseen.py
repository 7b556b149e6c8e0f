"""What nobody sees is known by what Unicode says of it, and letters by what they look like."""

from __future__ import annotations

import re
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.text.language.statements import relation, statement_key
from recollect.text.lookalikes import LOOK_ALIKES, skeleton
from recollect.text.similarity import similarity
from recollect.text.terms import terms
from recollect.text.unseen import IGNORABLE, visible

# The number and abbreviation signs of Arabic, Syriac and Kaithi are format characters that can be seen.
SEEN_FORMATS = re.compile("ARABIC|SYRIAC|KAITHI")
NAMED_UNSEEN = re.compile(
    "VARIATION SELECTOR|ZERO WIDTH|INVISIBLE|HANGUL.* FILLER|KHITAN.* FILLER|PATTERN BLANK|^TAG |WORD JOINER"
    "|GRAPHEME JOINER|INHERENT|NULL NOTEHEAD|^SOFT HYPHEN"
)
EVERY = [chr(code) for code in range(0x110000) if not 0xD800 <= code <= 0xDFFF]


def test_every_format_and_control_character_goes_but_for_line_ends_tabs_and_signs_that_can_be_seen() -> None:
    left = [char for char in EVERY if unicodedata.category(char) in ("Cf", "Cc") and visible(f"a{char}b") != "ab"]
    assert [char for char in left if not SEEN_FORMATS.search(unicodedata.name(char, ""))] == ["\t", "\n"]


def test_every_character_whose_name_says_that_it_is_not_seen_goes() -> None:
    named = [char for char in EVERY if NAMED_UNSEEN.search(unicodedata.name(char, ""))]
    assert len(named) > 350
    assert [hex(ord(char)) for char in named if visible(f"a{char}b") != "ab"] == []


def test_the_table_is_that_of_default_ignorable_code_points() -> None:
    # The number that DerivedCoreProperties.txt gives for the property.
    assert sum(last - first + 1 for first, last in IGNORABLE) == 4174


@pytest.mark.parametrize("text", ["👩‍💻 ❤️ 1️⃣ 👨‍👩‍👧 🇩🇪", "می‌خواهم", "क्‍ष", "naïve Ünïcode", "日本語　です", "a\tb\nc"])
def test_what_can_be_seen_stays(text: str) -> None:
    assert visible(text) == text


@pytest.mark.parametrize(
    "hidden", ["\U000e0149\U000e0150", "\ufe0f\ufe0e", "\u200d\u200d\u200c", "\u3164\u2800\u115f\u034f"]
)
@pytest.mark.parametrize("around", ["pn{}pm", "❤{}!", "م{} خ", "葛{}城"])
def test_a_message_in_unseen_letters_does_not_survive(hidden: str, around: str) -> None:
    assert len(visible(around.format(hidden))) <= len(around.format("")) + 1  # one selector may stay on a picture


@given(st.text(alphabet=st.sampled_from("a م❤👩\u200c\u200d\ufe0f\u200b\x1b[m1\u20e3\U000e0101\n"), max_size=40))
def test_looking_twice_changes_nothing_more(text: str) -> None:
    assert visible(visible(text)) == visible(text)


def test_a_letter_of_another_script_does_not_make_another_word() -> None:
    for word in ("pnрm", "рnpm", "pոpm", "𝗉𝗇𝗉𝗆", "ｐｎｐｍ"):
        assert relation(f"We use {word} here.", "We do not use pnpm here.") == "opposite"
        assert relation(f"We use {word} here.", "We use pnpm here.") in ("same", "near")
        assert terms(word) == ["pnpm"]
    assert skeleton("сору the file") == "copy the file"
    assert similarity("Тhe tests run in Docker.", "The tests run in Docker.") == 1.0
    assert statement_key("We use pnp\u3164m.") == statement_key("We use pnpm.")


def test_words_of_another_script_stay_what_they_are() -> None:
    for text in ("Мы не используем pnpm", "не pnpm", "Το πρόγραμμα", "проект на Python"):
        assert skeleton(text) == text
    assert all(chr(letter).isascii() for letter in LOOK_ALIKES.values())
