"""Facts that the rules were not made for: at least 8 of 10 proposals are ones that a maintainer would accept."""

from __future__ import annotations

import pytest

from recollect.model.suggestions import Fact, Proposal
from recollect.suggestions.customizations import kind_of, problems_of, read_customization
from recollect.suggestions.facts import category_of
from recollect.suggestions.frontmatter import read_frontmatter
from recollect.suggestions.globs import covers, named_paths
from recollect.suggestions.outline import split_lines
from recollect.suggestions.proposing import Ground, proposal_for, propose
from tests.suggestions.golden_cases import CASES
from tests.suggestions.repositories import BY_NAME

COPILOT, CLAUDE, AGENTS = ".github/copilot-instructions.md", "CLAUDE.md", "AGENTS.md"
# What a maintainer would do with each: the file and the heading. Nothing: it is said already.
JUDGED = {
    "web": [
        ("Never edit files in `src/generated` by hand.", COPILOT, "Conventions"),
        ("Feature flags are in `src/flags.ts`.", COPILOT, "Architecture"),
        ("Don't use barrel files; import from the module itself.", COPILOT, "Conventions"),
        ("Snapshots are not allowed in tests.", COPILOT, "Testing"),
        ("Reviewers check the bundle size.", ".github/agents/reviewer.agent.md", "Rules"),
        ("The storefront supports the last two versions of Safari.", COPILOT, "Conventions"),
        ("Button variants in `src/components/Button.tsx` come from the design tokens.", ".github/instructions/react.instructions.md", "Components"),
        ("Commit messages follow Conventional Commits.", COPILOT, "Conventions"),
        ("Dates are shown in the shop's time zone.", COPILOT, "Conventions"),
        ("Tests are written with Vitest.", "", ""),
    ],
    "service": [
        ("Use `Decimal` for amounts, never float.", CLAUDE, "Code style"),
        ("Migrations must not lock the `entries` table.", ".claude/rules/migrations.md", "Migrations"),
        ("Tests use a transaction that is rolled back.", CLAUDE, "Testing"),
        ("Feature branches are named after the ticket.", CLAUDE, "Workflow"),
        ("All timestamps are stored in UTC.", CLAUDE, "Code style"),
        ("Releases need a signed tag.", ".claude/skills/release/SKILL.md", "Release"),
        ("The service is deployed by ArgoCD.", CLAUDE, "Workflow"),
        ("`make test` may need `docker compose up -d db` first.", "", ""),
        ("Docstrings follow the Google style.", CLAUDE, "Code style"),
        ("SQL queries go into `ledger/queries.sql`.", CLAUDE, "Code style"),
    ],
    "monorepo": [
        ("Go errors are wrapped with `%w`.", AGENTS, "Conventions"),
        ("The billing service talks to Stripe through `services/billing/stripe`.", "services/billing/AGENTS.md", "Rules"),
        ("Protobuf files are generated with `buf generate`.", AGENTS, "Development"),
        ("Pull requests need two approvals.", AGENTS, "Commits"),
        ("The console is written in TypeScript with Vue.", AGENTS, "Layout"),
        ("Every service exposes `/healthz`.", AGENTS, "Conventions"),
        ("Integration tests live in `services/*/it`.", AGENTS, "Testing"),
        ("Use `slog` for logging.", AGENTS, "Conventions"),
        ("New services use port 90xx.", ".agents/skills/add-service/SKILL.md", "Checklist"),
    ],
    "laden": [
        ("Fehlermeldungen sind auf Deutsch.", "GEMINI.md", "Konventionen"),
        ("Preise enthalten immer die Mehrwertsteuer.", "GEMINI.md", "Konventionen"),
        ("Jede Route in `src/routes` hat einen Test.", ".cursor/rules/routes.mdc", "Routen"),
        ("Der Warenkorb wird in der Sitzung gespeichert.", "GEMINI.md", "Konventionen"),
        ("Variablennamen sind auf Englisch.", "GEMINI.md", "Konventionen"),
    ],
    "bare": [
        ("Errors are reported with `anyhow`.", ".github/instructions/style.instructions.md", ""),
        ("Tests that need the network are marked with `#[ignore]`.", ".github/instructions/testing.instructions.md", ""),
        ("Public items need a doc comment.", ".github/instructions/style.instructions.md", ""),
        ("Examples in `docs/` are tested with `mdbook test`.", ".github/instructions/docs.instructions.md", "Docs"),
        ("Merges to main are squashed.", ".github/instructions/workflow.instructions.md", ""),
    ],
}  # fmt: skip


def proposed(name: str, content: str) -> Proposal | None:
    return proposal_for(Fact("e_1", content, confidence=0.8, category=category_of(content)), BY_NAME[name].ground)


def shared_lines(one: list[str], other: list[str]) -> int:
    """How many lines two texts begin with alike."""
    return next(
        (at for at, pair in enumerate(zip(one, other, strict=False)) if pair[0] != pair[1]), min(len(one), len(other))
    )


def test_eight_of_ten_proposals_are_ones_that_a_maintainer_would_accept() -> None:
    wrong = []
    for name, judged in JUDGED.items():
        for content, target, place in judged:
            made = proposed(name, content)
            if ((made.target, made.place) if made else ("", "")) != (target, place):
                wrong.append(f"{name}: {content} -> {made and (made.target, made.place)}")
    assert len(wrong) <= 0.2 * sum(map(len, JUDGED.values())), wrong


@pytest.mark.parametrize("name", list(JUDGED))
def test_every_edited_file_still_parses_and_nothing_outside_the_changed_lines_moves(name: str) -> None:
    """For golden facts and for those that the rules were not made for."""
    facts = [content for content, _, _ in JUDGED[name]] + [one.fact.content for one in BY_NAME[name].facts]
    for content in facts:
        made = proposed(name, content)
        if made is None:
            continue
        assert not problems_of(made.target, made.after)
        if made.before is None:
            continue
        assert read_frontmatter(made.after).values == read_frontmatter(made.before).values
        before, after = split_lines(made.before), split_lines(made.after)
        same_above = shared_lines(before, after)
        same_below = shared_lines(before[same_above:][::-1], after[same_above:][::-1])
        changed = after[same_above : len(after) - same_below]
        assert len(before) - same_above - same_below <= 2, "one place changes, and few lines of it"
        assert len(changed) <= 12
        assert made.before.endswith("\n") == made.after.endswith("\n")
        if "\r\n" in made.before:
            assert all(line.endswith("\r\n") for line in after[:-1])
        else:
            assert "\r" not in made.after


def test_a_full_file_gets_no_more_lines_and_a_new_one_is_proposed() -> None:
    ground = BY_NAME["web"].ground._replace(most_characters=100)
    made = proposal_for(Fact("e_1", "Dates are shown in UTC.", confidence=0.8, category="domain"), ground)
    assert made is not None
    assert (made.action, made.target) == ("create", ".github/instructions/domain.instructions.md")


def test_several_facts_for_one_new_file_come_as_one_proposal() -> None:
    facts = [
        Fact(f"e_{n}", text, confidence=0.8, category="style")
        for n, text in enumerate(("Use tabs in C.", "Keep lines short."))
    ]
    [made] = propose(facts, Ground(()))
    assert (made.target, made.fact_ids) == ("AGENTS.md", ("e_0", "e_1"))
    assert made.after == "# AGENTS.md\n\n## Conventions\n\n- Use tabs in C.\n- Keep lines short.\n"


def test_a_model_chooses_among_the_files_that_the_rules_allow() -> None:
    asked: list[list[str]] = []

    def last(fact: Fact, found) -> int:
        asked.append([one.file.path for one in found])
        return len(found) - 1

    fact = Fact("e_1", "Components under `src/components` take a `className` prop.", confidence=0.8)
    made = proposal_for(fact, BY_NAME["web"].ground, last)
    assert made is not None
    assert asked == [[".github/instructions/react.instructions.md", COPILOT]]
    assert made.target == COPILOT


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("AGENTS.md", "instructions"), ("a/b/AGENTS.md", "instructions"), ("CLAUDE.md", "instructions"),
        (".claude/rules/x.md", "instructions"), (".cursor/rules/x.mdc", "instructions"), ("GEMINI.md", "instructions"),
        (".github/copilot-instructions.md", "instructions"), (".github/instructions/a/x.instructions.md", "instructions"),
        (".github/agents/x.agent.md", "agent"), (".claude/agents/x.md", "agent"), (".github/prompts/x.prompt.md", "prompt"),
        (".agents/skills/x/SKILL.md", "skill"), (".claude/skills/x/SKILL.md", "skill"), (".github/hooks/x.json", "hook"),
        (".claude/settings.json", "hook"), ("~/.codex/AGENTS.md", "instructions"), ("~/.copilot/skills/x/SKILL.md", "skill"),
        ("README.md", None), ("src/agents/x.py", None), ("package.json", None),
    ],
)  # fmt: skip
def test_customizations_of_every_host_are_known_by_their_paths(path: str, kind: str | None) -> None:
    assert kind_of(path) == kind


def test_a_header_that_hosts_would_not_read_is_a_problem() -> None:
    assert problems_of(".claude/skills/x/SKILL.md", "---\nname: y\ndescription: Z\n---\n") != ()
    assert problems_of("a/.github/agents/x.agent.md", "---\ndescription: a: b\n---\n") != ()
    assert problems_of("a/.github/agents/x.agent.md", "---\ndescription: a\n") != ()
    assert problems_of("a/.github/agents/x.agent.md", '---\ndescription: "a: b"\ntools: [x, y]\n---\n') == ()


def test_globs_are_read_as_hosts_read_them() -> None:
    header = read_customization(
        ".github/instructions/x.instructions.md", '---\napplyTo: "**/*.{ts,tsx}, docs/**"\n---\n'
    )
    assert header is not None
    assert header.patterns == ("**/*.{ts,tsx}", "docs/**")
    assert covers(header.patterns, "src/a.tsx")
    assert covers(header.patterns, "docs")
    assert not covers(header.patterns, "src/a.py")
    assert named_paths("See `src/a.py`, docs/b.md and https://example.com/x/y, not 1/2.") == ["src/a.py", "docs/b.md"]


def test_a_case_has_facts_of_every_kind() -> None:
    kinds = {(one.expected.target_type, one.expected.action) for case in CASES for one in case.facts if one.expected}
    assert {kind for kind, _ in kinds} == {"instructions", "agent", "skill", "prompt", "hook", "newFile"}
    assert {action for _, action in kinds} == {"add", "merge", "create", "conflict"}
