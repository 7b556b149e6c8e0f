"""Counting: close to the real tokenizer, never asked twice for the same message, corrected by what is reported."""

from __future__ import annotations

import base64
import json
import random
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from recollect.context.counting import HIGHEST_RATIO, LOWEST_RATIO, Counter, exact_tokens, first_ratio, limit_tokens
from recollect.context.shapes import parse
from recollect.model.messages import Media, Message, Other, Text, Thinking, ToolCall, ToolResult
from recollect.text.tokens import estimate_tokens
from tests.paths import ROOT

JAPANESE = (
    "この関数はユーザーの設定を読み込み、環境変数が指定されていない場合は既定値を返します。テストを実行する前に"
    "データベースを初期化してください。エラーが発生した場合は、ログファイルを確認して、原因を特定してから修正を行う"
    "必要があります。キャッシュを削除してもう一度ビルドしてください。"
)
TYPESCRIPT = """
export async function loadSettings(path: string, options: LoadOptions = {}): Promise<Settings> {
  const raw = await readFile(path, { encoding: "utf8" });
  const parsed = settingsSchema.safeParse(JSON.parse(raw));
  if (!parsed.success) {
    throw new SettingsError(`Invalid settings in ${path}: ${parsed.error.issues.map((issue) => issue.message).join(", ")}`);
  }
  return { ...defaults, ...parsed.data, loadedAt: options.now?.() ?? Date.now() };
}

export class Worker<T extends Job> implements Disposable {
  private readonly queue: T[] = [];
  constructor(private readonly store: Store, public readonly limit = 10) {}
  get pending(): number { return this.queue.filter((job) => job.state === "pending").length; }
}
"""


real_tokens = exact_tokens()


def log_lines() -> str:
    chance = random.Random(1)
    return "\n".join(
        f"2025-11-{chance.randrange(10, 29)}T12:{chance.randrange(10, 59)}:07.{chance.randrange(1000):03d}Z INFO "
        f"[worker-{chance.randrange(9)}] request id={chance.randrange(10**8)} took {chance.randrange(900)}ms status=200"
        for _ in range(200)
    )


def samples() -> dict[str, tuple[str, float]]:
    """Texts by kind, and how far the estimate may be above the truth."""
    chance = random.Random(2)
    sources = [path.read_text() for path in sorted((ROOT / "src").rglob("*.py"))]
    pages = [path.read_text() for path in sorted((ROOT / "docs").rglob("*.md"))]
    rows = [
        {"id": number, "name": f"item {number}", "tags": ["a", "b"], "price": number * 1.5} for number in range(300)
    ]
    return {
        "python": ("\n".join(sources), 1.1),
        "markdown": ("\n".join(pages), 1.1),
        "typescript": (TYPESCRIPT, 1.15),
        "json": (json.dumps(rows, indent=2), 1.15),
        "logs": (log_lines(), 1.15),
        "japanese": (JAPANESE, 1.1),
        "base64": (base64.b64encode(chance.randbytes(3_000)).decode(), 1.15),
        "hex": (chance.randbytes(3_000).hex(), 1.2),
        "digits": ("".join(chance.choice("0123456789") for _ in range(3_000)), 1.1),
        "tables": (
            "\n".join(f"{'service-' + str(row % 7):<32}{'running':<16}{row * 37 % 1000:>10}" for row in range(200)),
            1.15,
        ),
    }


@pytest.mark.parametrize("kind", samples())
def test_the_estimate_is_close_to_the_tokenizer_for_every_kind_of_text(kind):
    text, above = samples()[kind]
    assert 0.95 <= estimate_tokens(text) / real_tokens(text) <= above


def test_sample_sessions_are_within_a_tenth_and_not_underestimated():
    for path in sorted((ROOT / "src/recollect/sample").rglob("*.jsonl")):
        lines = path.read_text().splitlines()
        estimated, real = sum(map(estimate_tokens, lines)), sum(map(real_tokens, lines))
        assert 0.97 <= estimated / real <= 1.12, path.name


@given(st.text(max_size=200), st.text(max_size=50))
def test_a_longer_text_never_costs_noticeably_less(text, more):
    assert estimate_tokens(text + more) >= estimate_tokens(text) - 4
    assert (estimate_tokens(text) > 0) == bool(text)


def test_lone_surrogates_are_counted_like_any_character():
    assert estimate_tokens("a\ud800b") > 0


def test_estimating_is_cheap():
    text = (ROOT / "src/recollect/context/counting.py").read_text() * 20

    def best_seconds(sample: str, times: int) -> float:
        def once() -> float:
            started = time.process_time()
            for _ in range(times):
                estimate_tokens(sample)
            return (time.process_time() - started) / times

        return min(once() for _ in range(7))

    assert len(text) / best_seconds(text, 3) > 1_000_000
    assert best_seconds(text[:100], 3_000) < 150e-6


def said(text: str, role: str = "user") -> Message:
    return Message(role, (Text(text),))


def test_system_conversation_and_tools_are_counted_apart():
    conversation = [said("be brief", "system"), said("no tabs", "developer"), said("hello there")]
    count = Counter().count(conversation, [{"name": "read", "input_schema": {"type": "object"}}])
    assert count.total == count.system + count.conversation + count.tools
    assert count.system == Counter().count(conversation[:2]).system
    assert count.tools > Counter().count(conversation).tools == 0


def test_exact_counts_are_those_of_the_tokenizer():
    text = TYPESCRIPT + JAPANESE
    assert Counter(exact=True).text(text) == real_tokens(text)


texts = st.text(max_size=40)
parts = st.one_of(
    st.builds(Text, texts),
    st.builds(Thinking, texts, texts),
    st.builds(ToolCall, texts, texts, texts),
    st.builds(lambda call_id, text: ToolResult(call_id, (Text(text),)), texts, texts),
    st.builds(lambda text: Other({"type": "new", "text": text}), texts),
    st.just(Media("image", {"type": "image", "source": {"type": "url", "url": "https://x/y.png"}})),
)
conversations = st.lists(
    st.builds(
        Message, st.sampled_from(["system", "user", "assistant", "tool"]), st.lists(parts, max_size=4).map(tuple)
    ),
    max_size=12,
)


@given(conversations, conversations)
def test_a_counter_with_a_past_counts_as_a_new_one_does(before, after):
    counter = Counter()
    counter.count(before)
    assert counter.count([*before, *after]) == Counter().count([*before, *after])
    assert counter.count(after) == Counter().count(after)
    assert counter.count(before[1:] + after) == Counter().count(before[1:] + after)


@given(conversations)
def test_messages_add_up_to_the_request(conversation):
    counter = Counter()
    whole = counter.count(conversation).total - counter.count([]).total
    assert whole == sum(counter.message(message) for message in conversation)


def test_a_message_that_was_sent_before_is_not_counted_again(monkeypatch):
    counted: list[str] = []
    counter = Counter()

    def watched(text: str) -> int:
        counted.append(text)
        return estimate_tokens(text)

    monkeypatch.setattr(counter, "_tokens_of", watched)
    request = [{"role": "user", "content": f"message {number}"} for number in range(50)]
    counter.count(parse(request, "openai_chat"))
    counter.count(parse([*request, {"role": "user", "content": "new"}], "openai_chat"))
    counter.count(parse(request[20:], "openai_chat"))
    assert counted == [*(f"message {number}" for number in range(50)), "new"]


def test_the_thousandth_message_costs_hardly_more_than_the_tenth():
    def seconds_for_one_more(length: int) -> float:
        conversation = [said(f"line {number} " * 80) for number in range(length)]
        best = 1.0
        for attempt in range(30):
            counter = Counter()
            counter.count(conversation)
            grown = [*conversation, said(f"and {attempt} " * 200)]
            started = time.process_time()
            counter.count(grown)
            best = min(best, time.process_time() - started)
        return best

    assert seconds_for_one_more(1_000) < 20 * seconds_for_one_more(10) + 20e-6


@given(conversations.filter(bool), st.integers(1, 1_000_000), st.integers(1, 1_000_000))
@settings(max_examples=200)
def test_after_a_correction_nothing_is_estimated_below_what_was_reported(conversation, first, second):
    counter = Counter()
    for reported in (first, second):
        counter.correct(reported, counter.count(conversation))
        assert counter.count(conversation).total >= reported
        assert LOWEST_RATIO <= counter.ratio <= HIGHEST_RATIO


def test_reported_usage_corrects_what_is_counted_later():
    counter = Counter()
    early = [said("a short question about the parser")] * 20
    estimated = counter.count(early)
    counter.correct(int(estimated.total * 1.4), estimated)
    later = [*early, said("another one " * 500)]
    assert counter.count(later).total == pytest.approx(Counter().count(later).total * 1.4, rel=0.03)


def test_a_report_of_nothing_changes_nothing():
    counter = Counter()
    counter.correct(0, counter.count([said("x")]))
    counter.correct(50, 0)
    assert (counter.ratio, counter.hidden_tokens) == (1.0, 0)


def test_claude_starts_from_what_it_reported_elsewhere():
    assert first_ratio("claude-sonnet-4-5") > first_ratio("gpt-5") == 1.0


@pytest.mark.parametrize(
    ("model_info", "limit"),
    [
        ({"max_prompt_tokens": 90_000, "max_context_window_tokens": 128_000}, 90_000),
        ({"max_context_window_tokens": 200_000}, 200_000),
        ({"capabilities": {"limits": {"max_prompt_tokens": 64_000}}}, 64_000),
        ({"max_context_window_tokens": 200_000, "capabilities": {"limits": {"max_prompt_tokens": 64_000}}}, 64_000),
        ({"capabilities": {"limits": None}}, 128_000),
        ({"max_prompt_tokens": 0}, 128_000),
        ({"max_prompt_tokens": True}, 128_000),
        ({}, 128_000),
    ],
)
def test_the_limit_is_what_the_provider_says_of_its_model(model_info, limit):
    assert limit_tokens(model_info) == limit


def image(head: bytes) -> Message:
    source = {"type": "base64", "media_type": "image/png", "data": base64.b64encode(head + bytes(300)).decode()}
    return Message("user", (Media("image", {"type": "image", "source": source}),))


def test_an_image_costs_what_its_size_says_and_never_what_its_bytes_say():
    png = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + (300).to_bytes(4, "big") + (250).to_bytes(4, "big")
    jpeg = (
        b"\xff\xd8\xff\xe0\x00\x10"
        + bytes(14)
        + b"\xff\xc0\x00\x11\x08"
        + (250).to_bytes(2, "big")
        + (300).to_bytes(2, "big")
    )
    gif = b"GIF89a" + (300).to_bytes(2, "little") + (250).to_bytes(2, "little")
    assert {Counter().message(image(head)) for head in (png, jpeg, gif)} == {104}
    assert Counter().message(image(b"something else")) == 1_604


def test_documents_and_sounds_have_a_price_too():
    def document(**source: str) -> int:
        return Counter().message(Message("user", (Media("document", {"type": "document", "source": source}),)))

    pages = base64.b64encode(b"%PDF /Type /Pages " + b"/Type /Page " * 7).decode()
    assert document(type="base64", media_type="application/pdf", data=pages) == 21_004
    assert document(type="text", data="plain words") < 20
    sound = Media("audio", {"type": "input_audio", "input_audio": {"data": "A" * 64_000, "format": "mp3"}})
    assert Counter().message(Message("user", (sound,))) == 34
