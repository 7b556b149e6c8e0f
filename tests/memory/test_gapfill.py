"""Gap-fill: what in a typed message would still be true and useful in a later session, and what would not."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks import gapfill as bench
from benchmarks.durable_examples import DURABLE, OF_THE_MOMENT, PASSING
from recollect.memory.gapfill.finding import Found, find_durable, latest, recurring, reversals
from recollect.memory.gapfill.scorer import PATH, hashed, packed, unpacked
from recollect.memory.gapfill.statements import often_asked, statement_of
from recollect.text.language.sentences import sentences, shadow


def is_stored(text: str, before: str = "") -> bool:
    return any(one.sure for one in find_durable(text, before=before))


NARRATIVES = [
    "So when I open the drawer the first time it works, but if I close it and open it again the list is empty. "
    "I never see the spinner either. Any idea?",
    "Let me think about the flow: the user uploads a file, we store it in a temp bucket, then we run the scanner and "
    "if it is clean we move it to the real bucket. Does that make sense?",
    "I'm working on the billing page at the moment and I want to show the total at the top instead of the bottom.",
    "The new endpoint takes an id and returns the invoice. If the invoice does not exist it returns 404. Write tests.",
]

STATEMENTS = [
    (
        "Orders older than 90 days are archived, please keep that in mind.",
        "Orders older than 90 days are archived.",
    ),
    ("Always list anything i need to review at the end.", "Always list anything the user needs to review at the end."),
    ("no inline styles please, use css modules", "No inline styles, use css modules."),
    ("no we use css modules", "We use css modules."),
    ("we use pnpm in this repo, not npm", "We use pnpm in this repo, not npm."),
    ("please stop adding emojis to commit messages", "Stop adding emojis to commit messages."),
    ("Whenever you touch the schema, bump the version", "Whenever you touch the schema, bump the version."),
    ("from now on reply in German please", "Reply in German."),
    ("ok but i no longer use tmux", "The user no longer uses tmux."),
    ("no, we use yarn here", "We use yarn here."),
    ("no we use yarn here", "We use yarn here."),
    ("No hex colours in components.", "No hex colours in components."),
    ("no matter what CI says, never skip the e2e run", "No matter what CI says, never skip the e2e run."),
    ("Right margins are always 8 px.", "Right margins are always 8 px."),
    ("Important dates live in docs/dates.md.", "Important dates live in docs/dates.md."),
    ("don't commit unless I tell you to", "Do not commit unless the user tells you to."),
    ("No, our API runs on port 8080.", "Our API runs on port 8080."),
    ("I prefer early returns to nested ifs", "Prefers early returns to nested ifs."),
    ("never print .env files, they have real credentials", "Never print .env files; they have real credentials."),
    ("I never use interface, my shell is fish", "Never uses interface, the user's shell is fish."),
    ("I don't like ternaries", "Does not like ternaries."),
    ("no hardcoded spacing values", "No hardcoded spacing values."),
    ("No matter what the tests say, ask first", "No matter what the tests say, ask first."),
    ("non-blocking calls only", "non-blocking calls only."),
    ("nothing gets deployed without her OK", "Nothing gets deployed without her OK."),
    ("omfg use fucking rgb values, NEVER indices!!", "Use rgb values, never indices."),
    ("alright, invalid themes must never crash", "Invalid themes must never crash."),
    ("coupons can't be combined, I keep forgetting to mention it", "Coupons cannot be combined."),
    ("texts live in src/i18n/en.json, so move it there please", "Texts live in src/i18n/en.json."),
    ("the key differs per country by the way", "The key differs per country."),
    ("I'd rather see types spelled out, I never use any", "Prefers to see types spelled out, and never uses any."),
    ("I'd rather not squash", "Prefers not to squash."),
    ("if the tests fail, they are run again", "If the tests fail, they are run again."),
    ("print `don't` as it is and say \"CAN'T\"", "Print `don't` as it is and say \"CAN'T\""),
    ("use UNION ALL, don't use UNION", "Use UNION ALL, do not use UNION."),
    ("i'm on fish, so give me fish syntax", "The user is on fish, so give them fish syntax."),
    ("ask me before my branch is merged", "Ask the user before their branch is merged."),
    ("i basically want one file per service", "The user basically wants one file per service."),
    ("i run the reviews myself", "The user runs the reviews themselves."),
]


def test_what_holds_in_general_is_stored_or_waits() -> None:
    found = [find_durable(text) for text in DURABLE]
    assert sum(bool(one) for one in found) / len(found) > 0.7
    assert sum(any(each.sure for each in one) for one in found) / len(found) > 0.33


@pytest.mark.parametrize("text", NARRATIVES)
def test_a_narrative_is_not_stored(text: str) -> None:
    assert not is_stored(text)


def test_hardly_anything_that_belongs_to_the_moment_is_stored() -> None:
    stored = [text for text in OF_THE_MOMENT + PASSING if is_stored(text)]
    assert len(stored) < 0.01 * len(OF_THE_MOMENT + PASSING), stored


def test_few_passing_remarks_even_wait_for_a_person() -> None:
    assert sum(bool(find_durable(text)) for text in PASSING) / len(PASSING) < 0.05


@pytest.mark.parametrize(
    "text",
    [
        "we only commit generated files if the release needs them, right?",
        "do we use redis for the queue?",
        "can we remove the old importer as it's replaced by tools/import.",
        "why are you still using moment when we switched to dayjs?",
        'Ingrid said "we should never have picked Next"',
    ],
)
def test_a_question_or_a_quotation_is_not_a_statement(text: str) -> None:
    assert find_durable(text) == []


def test_what_stands_before_a_request_in_one_sentence_is_a_statement_of_its_own() -> None:
    [one] = find_durable("I prefer early returns over nested ifs, could you rewrite the retry part like that?")
    assert one.statement == "Prefers early returns over nested ifs."


def test_what_points_at_something_else_waits_for_a_person() -> None:
    assert not is_stored("it lives in services/api")
    assert not is_stored("we moved from Jenkins to GitHub Actions last week")


def test_a_sentence_of_the_assistant_that_comes_back_is_not_the_persons_own() -> None:
    said = "All public functions need a docstring."
    assert find_durable(said)
    assert find_durable(said, before=f"From the style guide: {said}") == []


def test_a_piece_of_work_in_the_same_breath_is_not_kept_with_a_rule() -> None:
    [rule, *rest] = find_durable("We use pnpm here, not npm. Delete the package-lock.json you just created.")
    assert rule.sure
    assert rule.statement == "We use pnpm here, not npm."
    assert not any(one.sure for one in rest)


@pytest.mark.parametrize(
    "text",
    [
        "Bob said: never push to main",
        "CLAUDE.md says: never run tests",
        "Gemini suggests: use bun instead of npm.",
        "you said: never push to main",
        "According to the README, we never squash.",
        "user: never push to master",
        "example: never push to main",
        "always use bun, said nobody ever",
    ],
)
def test_what_somebody_else_says_is_never_stored_unasked(text: str) -> None:
    assert not is_stored(text)


@pytest.mark.parametrize(
    "text", ["As I said, never push to main", "Rule: never push to main.", "Never print emails: it is the law."]
)
def test_what_one_says_oneself_is_no_report(text: str) -> None:
    assert is_stored(text)


def test_what_follows_a_request_may_be_about_it_and_waits() -> None:
    [one] = find_durable("can you add a retry button? we use axios for requests here")
    assert not one.sure


def test_facts_that_are_plain_by_themselves_are_entries_of_their_own() -> None:
    found = find_durable("we use pnpm. Marta owns billing. Backups run every Sunday at 3 am.")
    assert [one.statement for one in found] == [
        "We use pnpm.",
        "Marta owns billing.",
        "Backups run every Sunday at 3 am.",
    ]


def test_what_follows_for_today_is_left_out() -> None:
    [one] = find_durable("We never deploy on Fridays, so this one waits until tomorrow.")
    assert one.statement == "We never deploy on Fridays."


def test_a_document_is_never_stored() -> None:
    headed = "# Rules\nWe use pnpm in this repo, not npm.\n# More\nNever push straight to main.\n"
    assert not is_stored(headed)


@pytest.mark.parametrize(("typed", "statement"), STATEMENTS)
def test_the_statement_is_written_as_a_careful_person_would(typed: str, statement: str) -> None:
    assert statement_of(typed) == statement


@pytest.mark.parametrize(
    ("text", "kind", "scope"),
    [
        ("I prefer small commits", "preference", "user"),
        ("always answer in Spanish", "preference", "user"),
        ("my shell is fish", "fact", "user"),
        ("we deploy to Fly every Friday", "fact", "repository"),
        ("the backend lives in services/api", "fact", "repository"),
        ("no, the worker reads from the queue, not from the table", "correction", "repository"),
        ("never use any in this repo", "preference", "repository"),
    ],
)
def test_kind_and_scope_follow_what_is_said(text: str, kind: str, scope: str) -> None:
    best = max(find_durable(text), key=lambda one: one.confidence)
    assert (best.kind, best.scope) == (kind, scope)


def test_the_span_is_the_durable_part_of_a_longer_message() -> None:
    text = "Looks good. Please fix the import in app.py. We don't support Python 3.9 anymore. Then open a PR."
    [one] = find_durable(text)
    assert text[one.start : one.end].startswith("We don't support Python 3.9 anymore")


def test_a_doubt_is_not_stored() -> None:
    assert find_durable("we use redis for the queue")
    assert not is_stored("I think maybe we use redis for the queue")


def test_pasted_and_quoted_text_says_nothing() -> None:
    log = "Fix this:\n```\nwe never deploy on Fridays\nalways use tabs\n```"
    trace = "> we always use tabs\n> never push to main\n"
    assert find_durable(log) == []
    assert find_durable(trace) == []
    assert find_durable('the error says "never use this in production" and stops') == []
    assert find_durable("<memory-context>\nWe use pnpm, not npm.\n</memory-context>\nfix the test") == []


def test_a_role_prompt_is_not_a_person() -> None:
    prompt = "You are a reviewer. Always answer in JSON. Never explain. We use pnpm."
    assert find_durable(prompt) == []


def test_below_a_paste_only_plain_rules_of_the_person_count() -> None:
    pasted = "\n".join(
        f"The module number {n} is documented in the manual of the tool, chapter {n}." for n in range(40)
    )
    assert not is_stored(pasted)


def test_no_secret_survives_in_a_statement() -> None:
    secret = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    found = find_durable(f"we use the token {secret} for all deploys, and our password is always hunter2Xy99Zz")
    assert found
    assert all(secret not in one.statement for one in found)
    assert any("[redacted:" in one.statement for one in found)


def test_an_order_that_comes_back_in_three_sessions_is_a_preference() -> None:
    orders = [
        ("a", "update the changelog before the release"),
        ("a", "continue"),
        ("b", "Update the changelog before release."),
        ("c", "please update the changelog before the release"),
        ("c", "fix the login page"),
    ]
    [one] = recurring(orders)
    assert one.sessions == ("a", "b", "c")
    assert one.times == 3


def test_an_order_that_comes_back_is_written_without_what_it_was_about() -> None:
    assert often_asked("Add a line to the changelog for this please.") == (
        "The user often asks for this: add a line to the changelog."
    )


def test_what_everybody_says_in_every_session_is_no_preference() -> None:
    assert recurring([(session, "commit and push") for session in "abcdef"]) == []
    assert recurring([("a", "update the changelog before the release")] * 5) == []


def test_the_later_word_wins() -> None:
    said = [
        one for text in ("we use npm", "our docs live in docs/", "we use pnpm, not npm") for one in find_durable(text)
    ]
    assert [(one.earlier, one.later) for one in reversals(said)] == [(0, 2)]
    assert [one.statement for one in latest(said)] == [said[1].statement, said[2].statement]


@given(st.text(max_size=400))
@settings(max_examples=60, deadline=None)
def test_any_text_is_read_without_an_error_and_every_span_lies_inside_it(text: str) -> None:
    for one in find_durable(text, before=text):
        assert 0 <= one.start < one.end <= len(text)
        assert one.statement
        assert 0 < one.confidence < 1


_PIECES = st.sampled_from(
    [*DURABLE[:40], *OF_THE_MOMENT[:40], "```", "\n\n", "> ", "<a>", "</a>", "。", "\u0130", "'", '"', "\x00"]
)


@given(st.lists(_PIECES, max_size=12).map(" ".join))
@settings(max_examples=60, deadline=None)
def test_mixed_messages_give_the_same_findings_twice_in_order_without_overlap(text: str) -> None:
    found = find_durable(text)
    assert found == find_durable(text)
    for one, following in pairwise(found):
        assert one.end <= following.start
    assert len(shadow(text)) == len(text)
    assert all(text[one.start : one.end].strip() for one in sentences(text))


def test_a_megabyte_of_anything_is_read() -> None:
    for hard in ("a", "a/", '"', "<t>", "x\n", "`a", ".a", "今後は必ず使う", "- use x\n", "_a_", "aB"):
        text = hard * (1_000_000 // len(hard))
        began = time.process_time()
        find_durable(text, before=text)
        assert time.process_time() - began < 20, "it takes less than one; with the square of the length, hours"


def test_the_benchmark_reads_records_and_weighs_by_stratum(tmp_path) -> None:
    records = [
        {
            "id": f"{group}{number}",
            "group": group,
            "text": text,
            "prev": "",
            "label": "positive" if durable else "none",
            "labels": [
                {"kind": "fact", "scope": "repository", "statement": text, "span": [0, len(text)], "confidence": "high"}
            ]
            * durable,
            "stratum": "net" if number else "random",
            "net_hit": True,
        }
        for group in "abcd"
        for number, (text, durable) in enumerate([("we use pnpm, not npm", True), ("run the tests", False)])
    ]
    path = tmp_path / "records.jsonl"
    path.write_text("\n".join(map(json.dumps, records)), encoding="utf-8")
    result = bench.run(bench.read(str(path)), "auto")
    first = result["rows"][0]
    assert (first.precision.value, first.recall.value) == (1.0, 1.0)
    assert len(result["held_out"]) == bench.HELD_OUT
    kept = result["entries"]["stored, all"]
    assert (kept["entries"], kept["right"], kept["scope right"]) == (4, 1.0, 1.0)


def test_findings_say_why() -> None:
    [one] = find_durable("we no longer support Python 3.9")
    assert isinstance(one, Found)
    assert "moved" in one.because


@pytest.mark.parametrize(
    ("before", "text"),
    [
        ("The thermostat reports the temperature in Celsius.", "that's wrong. The thermostat reports in Kelvin."),
        ("I number all invoices in one sequence.", "no, invoices are numbered per country"),
        ("The solver takes radians, so I convert first.", "nope the orbit solver takes degrees"),
    ],
)
def test_a_correction_of_what_the_assistant_just_said_at_least_waits(before: str, text: str) -> None:
    assert find_durable(text, before=before)


def test_what_stands_between_two_pastes_was_pasted_too() -> None:
    noise = "\n".join(
        f"2026-01-0{n} 10:00:00 worker-{n} [INFO] started with {n} jobs in {n * 7} ms" for n in range(1, 6)
    )
    assert find_durable(f"look at this:\n{noise}\nAll commands support a help option.\n{noise}") == []


def test_a_sentence_that_ends_in_a_contraction_ends_there() -> None:
    [one] = find_durable("The button is where it can't. We deploy from tags only.")
    assert one.statement == "We deploy from tags only."


def test_the_weights_are_small_numbers_without_a_word() -> None:
    raw = Path(PATH).read_bytes()
    head, _, rest = raw.partition(b"\n")
    assert len(raw) <= 500_000
    assert set(json.loads(head)) == {"bias", "features", "slope", "user_bias"}
    assert len(rest) == 6 * json.loads(head)["features"]


def test_packed_weights_come_back_as_they_were() -> None:
    head = {"bias": -1.0, "slope": 0.5, "user_bias": -2.0}
    again = unpacked(packed(head, {7: -3, 4_000_000_000: 12}))
    assert again.weights == {7: -3, 4_000_000_000: 12}
    assert (again.bias, again.slope, again.user_bias) == (-1.0, 0.5, -2.0)


def test_a_hook_never_loads_the_weights() -> None:
    script = "import sys, recollect.doors.hook, recollect.flows.turns.turn; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert not [name for name in done.stdout.split() if name.startswith("recollect.memory.gapfill")]


def test_training_learns_what_several_people_say_and_nothing_that_one_says(capsys) -> None:
    pytest.importorskip("numpy")
    from benchmarks.train_durable import Example, examples, train

    invented = [one for one in examples([], set()) if len(one.text) < 40][::5]
    people = [one._replace(source="people", group=f"person {at % 20}") for at, one in enumerate(invented)]
    alone = Example("somebody", "people", "the zyzzyva is in the xylotheque", "", True, ((0, 32),), "", "")
    scoped = [one._replace(scope="user" if at % 2 else "repository") for at, one in enumerate(people) if one.durable]
    made = unpacked(train([*people, *scoped, alone]))
    assert made.slope > 0
    assert hashed("s w:the") in made.weights
    assert hashed("s w:zyzzyva") not in made.weights
    assert "people" in capsys.readouterr().out


def test_a_command_of_the_repository_holds_there() -> None:
    def scopes(text: str) -> list[str]:
        return [found.scope for found in find_durable(text)]

    assert scopes("Please always run pnpm lint before you commit.") == ["repository"]
    assert scopes("I always use pnpm, never npm.") == ["user"]
