"""The table of settings: the class bodies below are its rows. To add a setting, add one row."""

from __future__ import annotations

from recollect.errors import SettingUnknown
from recollect.settings_rows import Row, Section, row

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from recollect.settings_rows import Value


class Recall(Section, name="recall"):
    """What a turn may get from memory, and what finding it may cost."""

    max_entries: int = row(8, "Maximum number of entries a turn gets.", high=100, repository="lower")
    max_tokens: int = row(800, "Maximum tokens of recalled memory a turn gets.", high=100_000, repository="lower")
    max_archive: int = row(2, "Maximum number of archive (L2) entries among them.", high=100, repository="lower")
    floor: float = row(
        0.8,
        "Minimum relevance to the prompt, before trust, age and votes are applied.",
        high=100,
        repository="raise",
    )
    check_milliseconds: int = row(20, "Maximum time a turn spends checking citations.", high=1_000)
    budget_postings: int = row(4_000, "Maximum index postings one search reads.", low=100, high=10_000_000)


class Profile(Section, name="profile"):
    """The profile (L0)."""

    max_characters: int = row(1_000, "Maximum characters in the whole profile.", low=100, high=1_000)


class Injection(Section, name="injection"):
    """Ceilings of everything injected at once; a host's own ceiling wins when it is smaller."""

    max_characters: int = row(8_000, "Maximum characters injected at once.", repository="lower")
    max_tokens: int = row(2_000, "Maximum tokens injected at once.", high=250_000, repository="lower")
    by_file: bool = row(
        True, "Show what is known about a file before a tool touches it, once per session.", repository="lower"
    )


class Memory(Section, name="memory"):
    """How entries leave recall."""

    forget_after_days: int = row(
        28,
        "Days after which an unused, uncited L1 entry written by the system becomes inactive.",
        low=1,
        high=36_500,
    )
    vote_out_downs: int = row(
        3, "Votes down minus votes up at which an entry is no longer recalled.", low=1, high=1_000
    )


class Memories(Section, name="memories"):
    """Which past sessions become the memory of a project, and what that may cost."""

    enabled: bool = row(
        False,
        "Turn past sessions into a project memory in the background, and start sessions with its summary.",
        repository="lower",
    )
    max_rollout_age_days: int = row(30, "Skip sessions older than this many days.", low=1, high=36_500)
    min_rollout_idle_hours: int = row(
        12, "Leave sessions for later if they were active within this many hours.", high=8_760
    )
    max_rollouts_per_startup: int = row(64, "Maximum sessions processed per startup.", high=10_000)
    summary_injection_token_limit: int = row(
        5_000, "Maximum tokens of that summary at the start of a session.", low=500, high=100_000, repository="lower"
    )
    max_raw_memories: int = row(
        256, "Maximum sessions per consolidation: used ones first, then new ones.", low=1, high=4_096
    )
    max_input_tokens: int = row(24_000, "Maximum tokens of a session in one model request.", low=2_000)
    max_day_share: float = row(0.75, "Share of models.day_tokens that this may use in the background.", high=1)
    cooldown_hours: float = row(6.0, "Hours between background consolidations by a model.", high=8_760)
    fallback: bool = row(False, "Let rules do it when the model fails; otherwise it is retried later.")
    concurrency: int = row(8, "Maximum sessions that workers read at the same time.", low=1, high=64)
    lease_seconds: int = row(
        60, "Seconds after which the job of a silent worker is given to another one.", low=5, high=1_800
    )
    retry_seconds: int = row(10, "Seconds until a failed job is tried again; then six times as long.", high=3_600)
    retry_limit: int = row(5, "Attempts after which a job is given up.", low=1, high=100)


class Receipts(Section, name="receipts"):
    """How long receipts are kept."""

    keep_days: int = row(90, "Days to keep a receipt.", low=1, high=36_500)
    keep: int = row(10_000, "Maximum receipts kept; the oldest go first.", low=1, high=10_000_000)


class RepositorySection(Section, name="repository"):
    """Which repository a folder belongs to."""

    identity: str = row("", "Repository identity to use instead of the one from git; empty: use git's.")


class Compaction(Section, name="compaction"):
    """When a conversation is compacted."""

    background_threshold: float = row(
        0.8,
        "Share of the window at which a compaction starts in the background; above 1: never.",
        high=10,
        aliases=("COPILOT_BACKGROUND_COMPACTION_THRESHOLD",),
    )
    buffer_exhaustion_threshold: float = row(
        0.95,
        "Share of the window at which a request waits for the compaction.",
        high=10,
        aliases=("COPILOT_BUFFER_EXHAUSTION_THRESHOLD",),
    )
    minimum_messages: int = row(
        4, "Conversations with fewer messages are never compacted automatically.", low=2, high=10_000
    )
    wait_seconds: int = row(120, "Maximum time a request waits for a compaction.", high=3_600)
    fallback: str = row(
        "errors",
        "When rules write the summary instead of a model: after errors (but not an empty answer), always, or never.",
        choices=("errors", "always", "never"),
    )
    limit_tokens: tuple[str, ...] = row(
        (), "Largest request per model, such as gpt-4o=64000; * means every model. A provider's own limit wins."
    )
    pre_commands: tuple[str, ...] = row(
        (), "Commands to run before a compaction; their output is added to its instructions."
    )
    post_commands: tuple[str, ...] = row((), "Commands to run after a compaction.")
    hook_seconds: int = row(30, "Maximum time one of these commands may take.", low=1, high=3_600)


class Models(Section, name="models"):
    """Which model each role asks, and what that may cost. Whatever no model does, rules do."""

    default: str = row(
        "rules",
        "Model for the role default, such as claude, anthropic:MODEL or openai:MODEL@ADDRESS; rules means none.",
        aliases=("model",),
    )
    smol: str = row("", "Model for the role smol, for small jobs; empty: the same as default.")
    day_tokens: int = row(
        500_000, "Maximum tokens that models may use in a day.", high=1_000_000_000, repository="lower"
    )
    pass_tokens: int = row(
        200_000, "Maximum tokens that one pass, such as a compaction, may use.", high=1_000_000_000, repository="lower"
    )
    limit_seconds: int = row(120, "Maximum time one model request may take.", low=1, high=3_600)
    openai_key: str = row("OPENAI_API_KEY", "Environment variable with the key for openai.")
    anthropic_key: str = row("ANTHROPIC_API_KEY", "Environment variable with the key for anthropic.")


class Hook(Section, name="hook"):
    """How long a hook may take."""

    wait_milliseconds: int = row(50, "Maximum wait for a locked database before answering without memory.", high=5_000)
    limit_milliseconds: int = row(
        300, "Maximum time a hook may take; after that the answer is empty.", low=10, high=10_000
    )


class Permissions(Section, name="permissions"):
    """What agents may change in memory without a person being asked. Deny wins over everything."""

    deny: tuple[str, ...] = row(
        (), "Tools or kinds that agents may not use: memory, store_memory, vote_memory.", repository="add"
    )
    allow: tuple[str, ...] = row(
        (), "Tools or kinds that agents may use without asking, even for risky changes.", files_only=True
    )
    allow_all: bool = row(
        False, "Let agents change memory without asking, even for risky changes.", repository="lower", files_only=True
    )


class AgenticMemory(Section, name="agentic_memory"):
    """A memory service that store_memory and vote_memory lead to instead of this home."""

    enabled: bool = row(
        False,
        "Send facts that agents store to the service at agentic_memory.url.",
        repository="lower",
        aliases=("copilot-feature-agentic-memory",),
    )
    disabled: bool = row(False, "Overrides agentic_memory.enabled.", repository="raise")
    url: str = row("", "Address of the service, such as http://127.0.0.1:7700; its token is in RECOLLECT_TOKEN.")
    user_scope: bool = row(False, "Also use the service for facts that hold everywhere, and outside repositories.")
    timeout_seconds: float = row(3.0, "Maximum time one request to the service may take.", low=0.1, high=60)


class LocalMemory(Section, name="local_memory"):
    """Facts that agents store, in a file of the repository."""

    enabled: bool = row(
        False,
        "Write facts that agents store to .github/copilot-memories.jsonl in the repository.",
        repository="lower",
        aliases=("copilot_swe_agent_memory_in_repo_store",),
    )


class InjectedMemory(Section, name="injected_memory"):
    """A memory for tests that depends on nothing."""

    text: str = row("", "Text given to agents as memory, instead of anything stored; empty: not used.")
    vote: bool = row(False, "Let agents vote on it.")


class Suggestions(Section, name="suggestions"):
    """How what was learned becomes suggested edits of customization files."""

    mode: str = row(
        "occasional",
        "When suggestions are made and announced: after every turn (eager), every few minutes (occasional), on request "
        "(manual), or never, with no facts kept for them (off).",
        choices=("off", "eager", "occasional", "manual"),
        aliases=("chat.memory.suggestionMode",),
    )
    interval_minutes: int = row(15, "Minutes between runs in occasional mode.", low=15, high=30)
    debounce_milliseconds: int = row(300, "Wait after a turn in eager mode, in case more follows.", low=300, high=500)
    batch: int = row(5, "Number of new suggestions worth announcing before a session ends.", low=1, high=100)
    file_characters: int = row(
        16_000, "Size at which a customization file gets no more lines.", low=1_000, repository="lower"
    )
    repository_facts: int = row(50, "Maximum facts about a repository used for suggestions.", low=1, high=10_000)
    user_facts: int = row(100, "Maximum facts about the user used for suggestions.", low=1, high=10_000)
    recency_weight: float = row(1.0, "Weight of a fact's age when there are too many.", high=100)
    vote_weight: float = row(1.0, "Weight of its votes.", high=100)
    use_weight: float = row(1.0, "Weight of its use: applied suggestions and recalls.", high=100)


class Subconscious(Section, name="subconscious"):
    """The context board, its consolidation, and the agents that look at it in the background."""

    enabled: bool = row(
        False,
        "Agents see the context board; rem updates it after sessions, and sidekicks send the parts that matter.",
        repository="lower",
        aliases=("COPILOT_SUBCONSCIOUS",),
    )
    github_context: bool = row(
        False,
        "The sidekick github-context looks through memory, past sessions and history for what a prompt needs.",
        repository="lower",
        aliases=("GITHUB_CONTEXT_SIDEKICK_AGENT",),
    )
    max_sidekicks: int = row(3, "Maximum sidekicks per prompt.", high=20, repository="lower")
    max_sends: int = row(1, "Maximum inbox entries one sidekick sends per turn.", high=10, repository="lower")
    limit_seconds: int = row(30, "Maximum time a sidekick works, in seconds.", low=1, high=600, repository="lower")
    max_tokens: int = row(20_000, "Maximum tokens a sidekick may use.", repository="lower")


class Sharing(Section, name="sharing"):
    """What of a memory lives in the repository, for the team."""

    facts: bool = row(
        False, "Mirror facts about a repository to .github/memories/facts.json, and read them from there."
    )


class Serve(Section, name="serve"):
    """The service: API, panel and MCP on one port."""

    requests_per_minute: int = row(6_000, "Maximum requests per minute from one program or browser.", low=1)
    max_body_bytes: int = row(10_000_000, "Maximum size of a request, in bytes.", low=1_000, high=1_000_000_000)


class Settings(Section):
    """Every setting, frozen: `settings.recall.max_entries`, or `settings.get("recall.max_entries")`."""

    enabled: bool = row(
        True, "Master switch: false stops extraction, injection, sidekicks and the worker.", repository="lower"
    )
    exclude: tuple[str, ...] = row((), "Globs of folders whose sessions are never read or remembered.")
    never_install: tuple[str, ...] = row(
        (), "Hosts that are left out on purpose: by `install all`, `doctor` and `status`."
    )
    recall: Recall = Recall()
    profile: Profile = Profile()
    injection: Injection = Injection()
    memory: Memory = Memory()
    memories: Memories = Memories()
    receipts: Receipts = Receipts()
    repository: RepositorySection = RepositorySection()
    hook: Hook = Hook()
    compaction: Compaction = Compaction()
    models: Models = Models()
    permissions: Permissions = Permissions()
    agentic_memory: AgenticMemory = AgenticMemory()
    local_memory: LocalMemory = LocalMemory()
    injected_memory: InjectedMemory = InjectedMemory()
    suggestions: Suggestions = Suggestions()
    subconscious: Subconscious = Subconscious()
    sharing: Sharing = Sharing()
    serve: Serve = Serve()

    origins: tuple[tuple[str, str], ...] = ()  # name and origin of what is not a default
    warnings: tuple[str, ...] = ()  # one sentence for each thing a repository's file asked for in vain

    @classmethod
    def default(cls) -> Settings:
        return cls()

    @classmethod
    def of(cls, values: Mapping[str, Value], *, origins: Mapping[str, str], warnings: tuple[str, ...] = ()) -> Settings:
        """Settings from checked values by dotted name; what is not named has its default."""
        parts: dict[str, object] = {"origins": tuple(origins.items()), "warnings": warnings}
        grouped: dict[str, dict[str, Value]] = {}
        for name, value in values.items():
            section, _, key = name.rpartition(".")
            grouped.setdefault(section, {})[key] = value
        parts.update(grouped.pop("", {}))
        parts.update({section: SECTIONS[section](keys) for section, keys in grouped.items()})
        return cls(parts)

    def get(self, name: str) -> Value:
        """The value of a setting by its dotted name; SettingUnknown when there is no such setting."""
        section, _, key = _row(name).name.rpartition(".")
        value: Value = getattr(getattr(self, section) if section else self, key)
        return value

    def origin(self, name: str) -> str:
        """Where its value comes from: "default", a file with its line, an environment variable, or "flag"."""
        return dict(self.origins).get(_row(name).name, "default")

    def _parts(self) -> tuple[object, ...]:
        return (*(self.get(name) for name in ROWS), self.origins, self.warnings)


SECTIONS: dict[str, type[Section]] = {key: type(at) for key, at in vars(Settings).items() if isinstance(at, Section)}
ROWS: dict[str, Row] = {at.name: at for at in Settings.rows.values()}
ROWS.update((at.name, at) for section in SECTIONS.values() for at in section.rows.values())


def _row(name: str) -> Row:
    if name not in ROWS:
        raise SettingUnknown(f"Unknown setting {name!r:.60}; `recollect settings list` shows them all.")
    return ROWS[name]


__all__ = ["ROWS", "SECTIONS", "Row", "Section", "Settings", "row"]
