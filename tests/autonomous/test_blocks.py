"""Blocks: the later word stands, hand edits stay, files round-trip, and only whole sets are valid."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.autonomous import raw
from recollect.autonomous.amending import Line, amended, title_of
from recollect.autonomous.blocks import (
    DECISIONS,
    PAST,
    WISHES,
    Block,
    Document,
    Evidence,
    Passage,
    applies_to,
    keys_of,
    parsed,
    rendered,
    with_ids,
)  # fmt: skip
from recollect.autonomous.dates import absolute
from recollect.autonomous.keeping import Baseline, baseline_of, kept, kept_lines, mark
from recollect.autonomous.lasting import lasting
from recollect.autonomous.raw import RawLine, RawMemory, from_reply, ranked, slug_of, unsaid
from recollect.autonomous.skills import Skill, Succeeded, chosen, parsed_skill, skills_of
from recollect.autonomous.summaries import summary_lines, summary_text
from recollect.autonomous.validating import require_valid
from recollect.errors import ArtifactsInvalid
from recollect.text.language.moments import is_said_for_now
from recollect.text.tokens import estimate_tokens

DAY = 86_400.0
AT = 1_793_268_344.0  # 2026-10-29, a Thursday


def line(text: str, session: str, at: float, *, holds: bool = True, kind: str = raw.FACT) -> Line:
    return Line(RawLine(kind, text, 1, at), session, holds)


# -- amending


def test_of_two_sessions_that_decide_differently_the_later_stands_and_cites_both() -> None:
    lines = [
        line("We keep checkout sessions for 20 minutes.", "s_b", 200.0),
        line("We keep checkout sessions for 30 minutes.", "s_a", 100.0),
    ]
    [block] = amended(lines)
    assert block.text == "We keep checkout sessions for 20 minutes."
    assert [one.session_id for one in block.evidence] == ["s_b"]
    assert [(one.text, one.evidence[0].session_id) for one in block.before] == [
        ("We keep checkout sessions for 30 minutes.", "s_a")
    ]


def test_the_same_twice_is_one_block_with_both_as_evidence() -> None:
    [block] = amended([line("We use pnpm here, not npm.", one, at) for one, at in (("s_a", 1.0), ("s_b", 2.0))])
    assert [one.session_id for one in block.evidence] == ["s_a", "s_b"]
    assert block.before == ()


def test_a_block_never_stands_on_what_holds_no_longer() -> None:
    old = line("We deploy to Fly.io, from main.", "s_a", 1.0, holds=False)
    assert amended([old]) == []
    [block] = amended([old, line("We deploy to Render now, not to Fly.io anymore.", "s_b", 2.0)])
    assert "Render" in block.text
    assert block.before[0].text == "We deploy to Fly.io, from main."


def test_things_that_have_nothing_to_do_with_each_other_stay_apart() -> None:
    texts = ("The dev server listens on port 4310.", "Amounts are always integer cents.", "We use pnpm here, not npm.")
    assert len(amended([line(text, f"s_{number}", float(number)) for number, text in enumerate(texts)])) == 3


def test_what_a_log_shows_is_not_taken_back_by_what_somebody_says() -> None:
    failed = line("`pnpm e2e` failed with “refused”; it passed after `pnpm stub`.", "s_a", 1.0, kind=raw.FAILURE)
    said = line("We run pnpm e2e without the stub.", "s_b", 2.0)
    assert len(amended([failed, said])) == 2


@pytest.mark.parametrize(
    ("said", "kind", "section"),
    [
        ("All texts of the shop live in src/i18n/en.json.", raw.PREFERENCE, DECISIONS),
        ("Never print .env files.", raw.PREFERENCE, WISHES),
        ("The user always wants to see the plan first.", raw.FACT, WISHES),
        ("The client never computes prices.", raw.FACT, DECISIONS),
    ],
)
def test_wishes_and_facts_stand_apart_by_how_they_read(said: str, kind: str, section: str) -> None:
    [block] = amended([line(said, "s_a", 1.0, kind=kind)])
    assert block.section == section


# -- what lasts


@pytest.mark.parametrize(
    ("said", "left"),
    [
        ("Amounts are always integer cents, never floats, so fix it accordingly.", "Amounts are always integer cents, never floats."),
        ("Prefers early returns over nested ifs.", "The user prefers early returns over nested ifs."),
        ("Marisol approves every release. Nothing gets deployed without her.", "Marisol approves every release. Nothing gets deployed without her."),
        ("We no longer publish to the store. Can you check the workflow?", "We no longer publish to the store."),
        ("Can you remove it since it's no longer supported.", ""),
        ("The new one we just created.", ""),
        ("Conosle logs!", ""),
        ("Spawn a worker to look at this.", ""),
        ("For this release we only use the backup queue.", ""),
        ("The user feels the list should be confirmed by mail.", ""),
        ("The user only wants to keep app.py and the summary one.", ""),
        ("Whenever you click on save, the login should appear.", ""),
        ("The bars start at 0 instead of the actual hour.", ""),
        ("For this repository we only use the backup queue.", "For this repository we only use the backup queue."),
        ("The user is on fish, so give the user fish syntax whenever you show shell snippets.",
         "The user is on fish, so give the user fish syntax whenever you show shell snippets."),
    ],
)  # fmt: skip
def test_only_sentences_that_a_stranger_understands_last(said: str, left: str) -> None:
    assert lasting(said) == left


@pytest.mark.parametrize(
    "typed",
    [
        "i thought we no longer use repeat",
        "and we don't need backward compatibility this will make things over complicated",
        "yes and do not wrap long lines in the markdown as that ruins the rendering",
        "also in agents MD mention the standards we follow",
        "In AGENTS.md mention the standards we follow.",
        "This is about the old layout. We don't need backward compatibility.",
        "We don't need backward compatibility. That is for the runs folder.",
        "Join the red dots with a line. do not join the blue ones.",
        "We don't need these: the cache and the queue.",
        "We don't need backward compatibility. " + "The report has one page per file. " * 40,
    ],
)
def test_a_remark_about_the_work_at_hand_is_not_a_rule_for_all_work(typed: str) -> None:
    start = max(typed.lower().find(one) for one in ("we no", "we don't", "do not", "in agents"))
    end = start + len(re.split("[.:]", typed[start:])[0])
    assert is_said_for_now(typed, start, end)


@pytest.mark.parametrize(
    "typed",
    [
        "No, we use pnpm here, not npm.",
        "Great. Amounts are always integer cents.",
        "Fixed. Don't ever push to main.",
        "Thanks. Do not hard-code colours.",
    ],
)
def test_a_rule_that_stands_by_itself_stays(typed: str) -> None:
    assert not is_said_for_now(typed, typed.index(" ") + 1, len(typed))


@pytest.mark.parametrize(
    ("said", "title"),
    [
        ("Use fucking rgb values in the themes, no rgb indices!", "Rgb values"),
        ("The user always wants to see the plan before anything is applied.", "The user always wants to see the plan before"),
        ("The client never computes prices. Totals come from the service.", "The client never computes prices"),
        ("Do not wrap long lines in the markdown.", "Do not wrap long lines in the markdown"),
        ("We use pnpm here, not npm.", "Package manager"),
        ("We keep the VAT rates in config/vat_rates.toml.", "VAT rates"),
    ],
)  # fmt: skip
def test_a_title_is_the_subject_as_it_stands_in_the_text_or_the_first_words(said: str, title: str) -> None:
    assert title_of(said) == title


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("We moved this week.", "We moved this week (the week of 2026-10-26)."),
        ("It broke yesterday.", "It broke yesterday (2026-10-28)."),
        ("It broke last Thursday.", "It broke last Thursday (2026-10-22)."),
        ("Two weeks ago it worked.", "Two weeks ago (2026-10-15) it worked."),
        ("It goes out on Tuesdays.", "It goes out on Tuesdays."),
    ],
)
def test_relative_dates_become_absolute(said: str, meant: str) -> None:
    assert absolute(said, AT) == meant
    assert absolute(meant, AT) == meant
    assert absolute(said, 0.0) == said


# -- raw memory


def test_a_model_may_shorten_but_not_invent() -> None:
    said = "run `pnpm e2e`; the stub listens on port 4400, see src/stub.ts"
    assert unsaid("`pnpm e2e` needs the stub on port 4400 (src/stub.ts).", said) == []
    assert unsaid("The stub listens on port 4500.", said) == ["4500"]
    reply = {
        "raw_memory": [
            {"kind": "fact", "text": "The stub listens on port 4400.", "turn": 1},
            {"kind": "fact", "text": "The stub listens on port 9999.", "turn": 1},
            {"kind": "fact", "text": "This turn does not exist.", "turn": 7},
        ],
        "tasks": [],
    }
    lines, _ = from_reply(reply, turns={1: 5.0}, said=said, typed={1: said})
    assert [one.text for one in lines] == ["The stub listens on port 4400."]


def test_using_a_memory_moves_none_in_the_file() -> None:
    before = [RawMemory(f"s_{number}", "r", at=float(number)) for number in range(5)]
    after = [one._replace(uses=9) if one.session_id == "s_0" else one for one in before]
    assert [one.session_id for one in ranked(after, 5)] == [one.session_id for one in ranked(before, 5)]
    assert [one.session_id for one in ranked(before, 2)] == ["s_3", "s_4"]
    assert [one.session_id for one in ranked(after, 2)] == ["s_0", "s_4"], "what is used is kept"


def test_a_slug_is_short_and_plain() -> None:
    assert slug_of("Fix: the Cart's badge!") == "fix-the-cart-s-badge"
    assert len(slug_of("x" * 200)) == 60


# -- MEMORY.md


def block(text: str = "We use pnpm here.", session: str = "s_a", **more: object) -> Block:
    fields: dict[str, object] = {"section": DECISIONS, "title": "Package manager", "text": text, **more}
    return Block(evidence=(Evidence(session, 1, AT),), **fields)  # type: ignore[arg-type]


def document(*blocks: Block) -> Document:
    return Document("# Memory", tuple(Passage(one.section, rendered(one), one.block_id) for one in blocks))


def test_a_block_says_where_it_holds_and_what_it_rests_on() -> None:
    [one] = with_ids([block("Texts live in src/i18n/en.json.")], {})
    text = rendered(one)
    assert "- Scope: this repository" in text
    assert "- Applies to: `src/i18n/en.json`" in text
    assert "- Evidence: s_a#1 (2026-10-29, typed)" in text
    assert applies_to("Nothing here.") == "all work here"


def test_an_amended_block_keeps_its_id() -> None:
    [first] = with_ids(amended([line("We keep sessions for 30 minutes.", "s_a", 1.0)]), {})
    later = [line("We keep sessions for 30 minutes.", "s_a", 1.0), line("We keep sessions for 20 minutes.", "s_b", 2.0)]
    [second] = with_ids(amended(later), {first.block_id: set(keys_of(first))})
    assert second.block_id == first.block_id
    assert "20" in second.text


@given(st.lists(st.text(alphabet="abc XYZ.,`-", min_size=5, max_size=40), unique=True, max_size=8))
def test_what_is_written_is_read_back(texts: list[str]) -> None:
    made = document(*with_ids([block(text.strip() or "x") for text in texts], {}))
    assert parsed(made.text()).text() == made.text()
    assert [one.block_id for one in parsed(made.text()).passages] == [one.block_id for one in made.passages]


def baseline_for(made: Document, **more: object) -> Baseline:
    blocks = {one.block_id: mark(one.text) for one in made.passages}
    return Baseline(blocks=blocks, preamble=mark(made.preamble), **more)  # type: ignore[arg-type]


def test_hand_edited_passages_stay_and_what_was_taken_out_stays_out() -> None:
    blocks = with_ids([block("One thing here."), block("Another thing there."), block("A third thing.")], {})
    made = document(*blocks)
    baseline = baseline_for(made)
    first, second, third = (one.text for one in made.passages)
    edited = first.replace("One thing here.", "One thing, and I know better.")
    held = made.text().replace(first, edited).replace(second, "").replace(third, f"{third}\n\n### Mine\nKeep this.")
    again, removed = kept(document(*blocks), held, baseline)
    text = again.text()
    assert "and I know better" in text
    assert "Another thing there" not in text
    assert "### Mine\nKeep this." in text
    assert "A third thing." in text
    assert list(removed) == [blocks[1].block_id]
    # And in the pass after that, with a baseline that knows what was made, not what somebody wrote.
    once_more, _ = kept(document(*blocks), text, baseline_for(made, removed=removed))
    assert once_more.text() == text


def test_what_changed_by_itself_is_renewed_where_nobody_touched_it() -> None:
    [one] = with_ids([block("We keep sessions for 30 minutes.")], {})
    made = document(one)
    renewed = document(one._replace(text="We keep sessions for 20 minutes."))
    again, _ = kept(renewed, made.text().replace("\n", "\r\n"), baseline_for(made))
    assert "20 minutes" in again.text()
    assert "30 minutes" not in again.text()


def test_a_baseline_that_cannot_be_read_makes_everything_somebodys_own() -> None:
    made = document(*with_ids([block()], {}))
    again, _ = kept(Document("# Memory", ()), made.text(), baseline_of("{ torn"))
    assert "We use pnpm here." in again.text()
    assert baseline_of(Baseline(inputs="x", removed=("m-1",)).text()) == Baseline(inputs="x", removed=("m-1",))


# -- the summary


def test_the_summary_keeps_to_its_limit_and_begins_with_its_version() -> None:
    blocks = with_ids([block(f"Fact number {number} is that things are so.") for number in range(400)], {})
    lines = summary_lines("app", blocks, [], limit_tokens=500)
    assert lines[0] == "v1"
    assert 300 < estimate_tokens("\n".join(lines)) <= 500


def test_of_what_does_not_fit_the_most_used_comes_first_and_past_work_last() -> None:
    blocks = with_ids(
        [block("Past work.", section=PAST), block("Seldom used thing."), block("Often used thing.", uses=5)], {}
    )
    lines = summary_lines("app", blocks, [], limit_tokens=60)
    assert any("Often used thing" in one for one in lines)
    assert not any("Past work" in one for one in lines)


def test_lines_that_somebody_wrote_into_the_summary_stay_and_those_taken_out_stay_out() -> None:
    blocks = with_ids([block("One thing is so."), block("Another thing is so.")], {})
    lines = summary_lines("app", blocks, [], limit_tokens=500)
    baseline = Baseline(summary=tuple(map(mark, lines)))
    held = "\n".join(one for one in lines if "Another" not in one) + "\n- Mine: mind the gap.\n"
    text = summary_text(lines, held, baseline, limit_tokens=500)
    assert "mind the gap" in text
    assert "Another" not in text
    assert text.startswith("v1\n")
    assert kept_lines(lines, "", baseline) == (lines, [])


# -- skills


def worked(session: str, *steps: str, goal: str = "commit-a-change", at: float = AT) -> Succeeded:
    return Succeeded(goal, steps, "git commit", session, 3, at)


def test_a_skill_is_made_of_what_succeeded_in_two_sessions() -> None:
    assert skills_of([worked("s_a", "pnpm test")]) == []
    assert skills_of([worked("s_a", "pnpm test"), worked("s_b", "cargo test")]) == []
    [skill] = skills_of([worked("s_a", "pnpm lint", "pnpm test"), worked("s_b", "pnpm lint", "pnpm test")])
    assert "1. `pnpm lint`\n2. `pnpm test`\n3. `git commit`" in skill.body
    assert parsed_skill(skill.text()) == Skill(skill.name, parsed_skill(skill.text()).description, skill.body)  # type: ignore[union-attr]
    assert parsed_skill(skill.text()).name == skill.name  # type: ignore[union-attr]


def test_at_most_one_new_skill_a_pass_and_known_ones_are_renewed() -> None:
    made = [Skill(name, "d", "b") for name in ("a", "b", "c")]
    assert [one.name for one in chosen(made, {"c": "old"})] == ["c", "a"]


# -- what may be published


def good() -> dict[str, str]:
    skill = Skill("commit", "Commit a change. Use before git commit.", "# Commit\n\n1. `git commit`").text()
    return {"MEMORY.md": "# M\n", "memory_summary.md": "v1\n# M\n", "skills/commit/SKILL.md": skill}


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("MEMORY.md", ""),
        ("memory_summary.md", "v2\n# M\n"),
        ("memory_summary.md", "v1\n" + "word " * 9_000),
        ("memory_summary.md", "v1\nSee memory://root/skills/gone/SKILL.md\n"),
        ("skills/commit/SKILL.md", "# no front matter\n"),
        ("skills/other/SKILL.md", good()["skills/commit/SKILL.md"]),
        ("skills/../x/SKILL.md", good()["skills/commit/SKILL.md"]),
        ("skills/commit/run.sh", "echo"),
        ("MEMORY.md", "# M\npassword = hunter2hunter2X9\n"),
    ],
)
def test_a_set_with_one_thing_wrong_is_not_published(name: str, text: str) -> None:
    require_valid(good(), limit_tokens=5_000)
    with pytest.raises(ArtifactsInvalid):
        require_valid({**good(), name: text}, limit_tokens=5_000)
