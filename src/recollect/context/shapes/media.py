"""Images, documents and sounds: read from any shape, written to any that can say them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from recollect.model.messages import Media, Text
from recollect.model.record import Record

if TYPE_CHECKING:
    from recollect.model.messages import Json

MEDIA_TYPES = {"image": "image/png", "document": "application/pdf", "audio": "audio/wav", "video": "video/mp4"}
SHAPE_OF_TYPE = {
    "image_url": "openai_chat",
    "file": "openai_chat",
    "input_image": "openai_responses",
    "input_file": "openai_responses",
    "computer_screenshot": "openai_responses",
    "image": "anthropic",
    "document": "anthropic",
}


class Facts(Record):
    """What is known of one medium: one of `data` (base64), `url`, `file_id` or `text` says where it is."""

    kind: str
    media_type: str = ""
    data: str = ""
    url: str = ""
    file_id: str = ""
    text: str = ""
    name: str = ""
    provider: str = ""


def facts_of(media: Media) -> Facts:
    """What a source says, whichever shape wrote it."""
    source = media.source
    kind = source.get("type") if "kind" not in source else source["kind"]
    match source:
        case {"source": dict(inner)}:
            return _anthropic_facts(media.kind, inner, _text(source.get("title")))
        case {"image_url": {"url": str(address)}} | {"image_url": str(address)}:
            return _addressed(media.kind, address)
        case {"input_audio": {"data": str(data)} as sound}:
            return Facts("audio", "audio/" + (_text(sound.get("format")) or "wav"), data)
        case {"file": dict(inner)}:
            return _openai_file_facts(media.kind, inner)
    if isinstance(kind, str) and "kind" in source:
        return _pydantic_facts(media.kind, source)
    return _openai_file_facts(media.kind, source)


def converted(media: Media, shape: str) -> Media | Text:
    """The medium in that shape; a text that names it where the shape cannot say it."""
    facts = facts_of(media)
    if facts.text and shape != "anthropic":
        return Text(facts.text)
    written = WRITERS[shape](facts)
    return Media(facts.kind, written) if written else Text(_named(facts))


def named(media: Media) -> Text:
    """A text in place of the medium."""
    return Text(_named(facts_of(media)))


def _named(facts: Facts) -> str:
    return f"[{facts.kind}: {facts.name or facts.url or facts.file_id or facts.media_type or 'not shown'}]"


def belongs(media: Media, shape: str) -> bool:
    """Whether the source is written the way this shape writes it."""
    if "kind" in media.source:
        return shape == "pydantic_ai"
    if media.source.get("type") == "input_audio":
        return shape in ("openai_chat", "openai_responses")
    return SHAPE_OF_TYPE.get(str(media.source.get("type"))) == shape


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""


def _addressed(kind: str, address: str, name: str = "") -> Facts:
    if not address.startswith("data:"):
        return Facts(kind, url=address, name=name)
    head, _, data = address[5:].partition(",")
    return Facts(kind, head.partition(";")[0] or MEDIA_TYPES[kind], data, name=name)


def _anthropic_facts(kind: str, source: Json, name: str) -> Facts:
    match source:
        case {"type": "base64", "data": str(data)}:
            return Facts(kind, _text(source.get("media_type")) or MEDIA_TYPES[kind], data, name=name)
        case {"type": "url", "url": str(url)}:
            return Facts(kind, url=url, name=name)
        case {"type": "file", "file_id": str(file_id)}:
            return Facts(kind, file_id=file_id, name=name, provider="anthropic")
        case {"type": "text", "data": str(text)} | {"type": "content", "content": str(text)}:
            return Facts(kind, "text/plain", text=text, name=name)
        case {"type": "content", "content": list(blocks)}:
            texts = [_text(block.get("text")) for block in blocks if isinstance(block, dict)]
            return Facts(kind, "text/plain", text="\n".join(texts), name=name)
    return Facts(kind, name=name)


def _openai_file_facts(kind: str, source: Json) -> Facts:
    name = _text(source.get("filename"))
    if data := _text(source.get("file_data")):
        known = _addressed(kind, data, name) if data.startswith("data:") else Facts(kind, data=data, name=name)
        return known._replace(media_type=known.media_type or MEDIA_TYPES[kind])
    if url := _text(source.get("file_url")):
        return Facts(kind, url=url, name=name)
    return Facts(kind, file_id=_text(source.get("file_id")), name=name, provider="openai")


def _pydantic_facts(kind: str, source: Json) -> Facts:
    media_type = _text(source.get("media_type"))
    # The library writes the URL-safe alphabet, providers take the standard one.
    data = _text(source.get("data")).replace("-", "+").replace("_", "/")
    url, file_id, provider = (_text(source.get(name)) for name in ("url", "file_id", "provider_name"))
    return Facts(kind, media_type, data, url, file_id, provider=provider)


def _data_uri(facts: Facts) -> str:
    return facts.url or f"data:{facts.media_type or MEDIA_TYPES[facts.kind]};base64,{facts.data}"


def _sound(facts: Facts) -> Json:
    form = facts.media_type.rpartition("/")[2]
    return {"type": "input_audio", "input_audio": {"data": facts.data, "format": {"mpeg": "mp3"}.get(form, form)}}


def _for_chat(facts: Facts) -> Json | None:
    if facts.kind == "image" and (facts.data or facts.url):
        return {"type": "image_url", "image_url": {"url": _data_uri(facts)}}
    if facts.kind == "audio" and facts.data:
        return _sound(facts)
    if facts.kind == "document" and facts.data:
        return {"type": "file", "file": {"filename": facts.name or "document.pdf", "file_data": _data_uri(facts)}}
    if facts.kind == "document" and facts.file_id and facts.provider == "openai":
        return {"type": "file", "file": {"file_id": facts.file_id}}
    return None


def _for_responses(facts: Facts) -> Json | None:
    if facts.file_id and facts.provider == "openai" and facts.kind in ("image", "document"):
        return {"type": "input_image" if facts.kind == "image" else "input_file", "file_id": facts.file_id}
    if facts.kind == "image" and (facts.data or facts.url):
        return {"type": "input_image", "image_url": _data_uri(facts)}
    if facts.kind == "audio" and facts.data:
        return _sound(facts)
    if facts.kind == "document" and facts.url:
        return {"type": "input_file", "file_url": facts.url}
    if facts.kind == "document" and facts.data:
        return {"type": "input_file", "filename": facts.name or "document.pdf", "file_data": _data_uri(facts)}
    return None


def _for_anthropic(facts: Facts) -> Json | None:
    if facts.kind not in ("image", "document"):
        return None
    title = {"title": facts.name} if facts.name and facts.kind == "document" else {}
    if facts.text:
        source = {"type": "text", "media_type": "text/plain", "data": facts.text}
    elif facts.data:
        source = {"type": "base64", "media_type": facts.media_type or MEDIA_TYPES[facts.kind], "data": facts.data}
    elif facts.url:
        source = {"type": "url", "url": facts.url}
    elif facts.file_id and facts.provider == "anthropic":
        source = {"type": "file", "file_id": facts.file_id}
    else:
        return None
    return {"type": facts.kind, "source": source, **title}


def _for_pydantic_ai(facts: Facts) -> Json | None:
    media_type = facts.media_type or MEDIA_TYPES[facts.kind]
    if facts.data:
        return {"kind": "binary", "data": facts.data, "media_type": media_type}
    if facts.url:
        return {"kind": f"{facts.kind}-url", "url": facts.url, "media_type": media_type}
    if facts.file_id:
        return {"kind": "uploaded-file", "file_id": facts.file_id, "provider_name": facts.provider}
    return None


WRITERS = {
    "openai_chat": _for_chat,
    "openai_responses": _for_responses,
    "anthropic": _for_anthropic,
    "pydantic_ai": _for_pydantic_ai,
}
