"""One request to the memory service: bounded in time and size, never repeated, never redirected."""

from __future__ import annotations

import http.client
import json
import socket
import threading
import time
from urllib.parse import urlsplit

from recollect.errors import RecollectError
from recollect.model.record import Record
from recollect.text.addresses import is_loopback

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

LIMIT_BYTES = 1_000_000
CHUNK_BYTES = 65_536


class ServiceError(RecollectError):
    """The memory service could not be asked, or did not answer as agreed."""


class Service(Record):
    """Where the service is and how long it may take."""

    url: str
    token: str = ""
    timeout_seconds: float = 3.0

    def request(self, method: str, path: str, body: dict[str, Any] | None = None) -> Any:
        """The JSON it answers with; ServiceError when there is none."""
        connection, prefix = self._connection()
        deadline = time.monotonic() + self.timeout_seconds
        headers = {"Accept": "application/json", "User-Agent": "recollect"}
        if self.token:
            headers["Authorization"] = f"Bearer {self.token}"
        data = None
        if body is not None:
            data = json.dumps(body, ensure_ascii=False).encode("utf-8", "replace")
            headers["Content-Type"] = "application/json"
        # The socket's own timeout begins anew with every byte; this one does not.
        guard = threading.Timer(self.timeout_seconds, _hang_up, (connection,))
        guard.daemon = True
        guard.start()
        try:
            connection.request(method, prefix + path, body=data, headers=headers)
            answer = connection.getresponse()
            text = _read(answer)
        except (OSError, http.client.HTTPException, ValueError) as error:
            why = "it took too long" if time.monotonic() >= deadline else _reason(error)
            raise ServiceError(f"the memory service at {self.url} did not answer: {why}") from error
        finally:
            guard.cancel()
            connection.close()
        if not 200 <= answer.status < 300:
            raise ServiceError(self._refusal(answer.status, f"{method} {path.split('?')[0]}"))
        return _parsed(text)

    def _refusal(self, status: int, request: str) -> str:
        if status == 401:
            wrong = "does not accept the token in RECOLLECT_TOKEN" if self.token else "needs a token in RECOLLECT_TOKEN"
            return f"the memory service at {self.url} {wrong}"
        why = ": the token in RECOLLECT_TOKEN does not allow it" if status == 403 and self.token else ""
        return f"the memory service answered {status} to {request}{why}"

    def _connection(self) -> tuple[http.client.HTTPConnection, str]:
        try:
            parts = urlsplit(self.url)
            host, port = parts.hostname or "", parts.port
        except ValueError as error:
            raise ServiceError(f"agentic_memory.url is not an address: {error}") from error
        if parts.scheme not in ("http", "https") or not host or parts.username or parts.query:
            raise ServiceError("agentic_memory.url must look like http://host:port or https://host")
        if parts.scheme == "http" and self.token and not is_loopback(host):
            raise ServiceError("agentic_memory.url would send the token unencrypted; use https")
        kind = http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
        return kind(host, port, timeout=self.timeout_seconds), parts.path.rstrip("/")


def _hang_up(connection: http.client.HTTPConnection) -> None:
    try:
        if connection.sock is not None:
            connection.sock.shutdown(socket.SHUT_RDWR)
    except OSError:
        return  # it hung up first


def _read(answer: http.client.HTTPResponse) -> bytes:
    parts: list[bytes] = []
    size = 0
    while part := answer.read1(CHUNK_BYTES):
        parts.append(part)
        size += len(part)
        if size > LIMIT_BYTES:
            raise ValueError("the answer is too long")
    length = answer.getheader("Content-Length") or ""
    if length.isdigit() and size < int(length):
        raise http.client.IncompleteRead(b"")
    return b"".join(parts)


def _parsed(text: bytes) -> Any:
    if not text.strip():
        return {}
    try:
        return json.loads(text.decode("utf-8"))
    except (ValueError, RecursionError) as error:
        raise ServiceError("the memory service answered with something that is not JSON") from error


def _reason(error: Exception) -> str:
    if isinstance(error, TimeoutError):
        return "it took too long"
    return " ".join(str(error).split())[:200] or type(error).__name__
