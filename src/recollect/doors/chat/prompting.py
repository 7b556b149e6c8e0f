"""The prompt at the bottom of the screen: keys, history, completion, what the model is saying, and the status line."""

from __future__ import annotations

import asyncio
import glob
import os
import textwrap
from typing import TYPE_CHECKING

from prompt_toolkit import PromptSession
from prompt_toolkit.application.current import get_app
from prompt_toolkit.completion import Completer, Completion
from prompt_toolkit.filters import Condition
from prompt_toolkit.formatted_text import FormattedText
from prompt_toolkit.history import InMemoryHistory
from prompt_toolkit.key_binding import KeyBindings
from prompt_toolkit.output.color_depth import ColorDepth
from prompt_toolkit.styles import Style

from recollect.doors.chat.commands import COMMANDS
from recollect.doors.chat.screen import columns
from recollect.doors.cli.printing.output import coloured

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from prompt_toolkit.document import Document
    from prompt_toolkit.key_binding.key_processor import KeyPressEvent

    from recollect.doors.chat.terminal import Chat

LIVE_LINES = 10
ESCAPE_SECONDS = 0.05  # after Esc, for the rest of a key that begins with it
MOST_COMPLETIONS = 50
ALONE_SECONDS = 0.4  # a key with another one right behind it begins a word and answers nothing
STYLE = Style.from_dict({"bottom-toolbar": "noreverse", "live": "", "question": "bold"})


def make_prompt(chat: Chat) -> PromptSession[str]:
    """The prompt of a chat."""
    answers = Answers(chat)
    made: PromptSession[str] = PromptSession(
        message=lambda: FormattedText(_message(chat)),
        bottom_toolbar=lambda: [("class:bottom-toolbar", chat.status())],
        erase_when_done=True,
        history=InMemoryHistory(),
        completer=Completions(chat),
        complete_while_typing=False,
        key_bindings=_keys(chat, answers),
        style=STYLE,
        color_depth=None if coloured() else ColorDepth.DEPTH_1_BIT,
        prompt_continuation="  ",
        reserve_space_for_menu=4,
    )
    made.default_buffer.on_text_changed += answers.forget
    made.app.ttimeoutlen = made.app.timeoutlen = ESCAPE_SECONDS
    return made


def _message(chat: Chat) -> list[tuple[str, str]]:
    """What the model is saying, a question that is open, and where to type."""
    shown: list[tuple[str, str]] = []
    if chat.live.strip():
        wrapped = [
            part for row in chat.live.splitlines() for part in textwrap.wrap(row, max(20, columns() - 1)) or [""]
        ]
        shown.append(("class:live", "\n".join(wrapped[-LIVE_LINES:]) + "\n"))
    if chat.asked is not None:
        shown.append(("class:question", chat.asked.words + "\n"))
    return [*shown, ("", "› ")]


def _keys(chat: Chat, answers: Answers) -> KeyBindings:
    keys = KeyBindings()
    is_busy = Condition(lambda: chat.is_busy)

    @keys.add("enter")
    @keys.add("c-j")  # Enter, when it was pressed before the prompt was there
    def _send(event: KeyPressEvent) -> None:
        event.current_buffer.validate_and_handle()

    @keys.add("escape", "enter")
    def _new_line(event: KeyPressEvent) -> None:
        event.current_buffer.insert_text("\n")

    @keys.add("escape", filter=is_busy)
    @keys.add("c-c", filter=is_busy, eager=True)
    def _cancel(event: KeyPressEvent) -> None:
        chat.cancel()

    @keys.add("c-c", filter=~is_busy)
    def _clear(event: KeyPressEvent) -> None:
        event.current_buffer.reset()

    answers.add_to(keys)
    return keys


class Answers:
    """Keys that answer a question. One stands at the prompt for a moment first: with more behind it, it began a word.

    The moment is measured where keys are read: one that is already typed is seen first, however busy the machine is."""

    def __init__(self, chat: Chat) -> None:
        self._chat = chat
        self._timer: asyncio.TimerHandle | None = None

    def add_to(self, keys: KeyBindings) -> None:
        """Bind the keys; they count at an empty prompt, while a question is open."""
        is_asked = Condition(lambda: self._chat.asked is not None and not get_app().current_buffer.text)
        for letter in "ysln":
            keys.add(letter, filter=is_asked, eager=True)(self._press)

    def forget(self, _: object = None) -> None:
        """The text at the prompt has changed: the key before it answers nothing."""
        if self._timer is not None:
            self._timer.cancel()

    def _press(self, event: KeyPressEvent) -> None:
        asked, buffer, key = self._chat.asked, event.current_buffer, event.data
        buffer.insert_text(key)

        def answer() -> None:
            buffer.reset()
            if asked is not None:
                asked.decide(key)

        if asked is not None and key in asked.choices:
            self._timer = asyncio.get_running_loop().call_later(ALONE_SECONDS, answer)


class Completions(Completer):
    """Slash commands at the beginning of a line, paths behind an @ or in a word that looks like one."""

    def __init__(self, chat: Chat) -> None:
        self._chat = chat

    def get_completions(self, document: Document, complete_event: Any) -> Iterator[Completion]:
        """What could stand here."""
        before = document.text_before_cursor
        if before.startswith("/") and " " not in before and "\n" not in before:
            for command in COMMANDS.values():
                if command.name.startswith(before):
                    yield Completion(command.name, -len(before), display_meta=command.help)
            return
        word = before.split()[-1] if before and not before[-1].isspace() else ""
        if word.startswith("@") or "/" in word or "." in word:
            yield from self._paths(word.removeprefix("@"))

    def _paths(self, begun: str) -> Iterator[Completion]:
        root = self._chat.memory.folder
        pattern = glob.escape(begun) + "*"
        for path in sorted(glob.glob(pattern, root_dir=root))[:MOST_COMPLETIONS]:
            ending = "/" if os.path.isdir(os.path.join(root, path)) else ""
            yield Completion(path + ending, -len(begun))
