"""/v1/board: the context board of a repository and branch. Programs add and take off agents' items only."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from fastapi import APIRouter, Depends, Path, Query, Request
from fastapi.responses import JSONResponse

from recollect.app import Recollect
from recollect.doors.board_shapes import item_json
from recollect.doors.http.api.models import BoardItem, ListedItem, NewItem
from recollect.doors.http.api.writing import Key
from recollect.doors.http.visitors import Memory, Reader, RepositoryMemory, Visitor, Writer
from recollect.flows.access.kept_answers import answer_once
from recollect.flows.board.board import ContextBoard, place_of
from recollect.model.board import AGENT, USER

router = APIRouter(tags=["board"])

Name = Annotated[str, Path(min_length=1, max_length=60)]
Branch = Annotated[str, Query(max_length=200, description="A branch other than the one that is checked out.")]
Source = Annotated[Literal["user", "agent"] | None, Query(description="Whose item; the user's before an agent's.")]
ADDED: dict[int | str, dict[str, Any]] = {
    200: {"model": BoardItem, "description": "An item with that name was overwritten"},
    201: {"model": BoardItem, "description": "It was added"},
}


def board_here(memory: Memory, branch: Branch = "") -> ContextBoard:
    """The board of the server's folder."""
    return ContextBoard(memory.opened, place_of(memory.opened, branch))


def board_of_repository(memory: RepositoryMemory, branch: Branch = "") -> ContextBoard:
    """The board of a repository."""
    return ContextBoard(memory.opened, place_of(memory.opened, branch))


Board = Annotated[ContextBoard, Depends(board_here)]
RepositoryBoard = Annotated[ContextBoard, Depends(board_of_repository)]


@router.get("/v1/board")
def list_items(visitor: Reader, board: Board) -> list[ListedItem]:
    """The items of the server's folder: the user's first, then those that were read most."""
    return _listed(board)


@router.get("/v1/repositories/{repository:path}/board")
def list_repository_items(visitor: Reader, board: RepositoryBoard) -> list[ListedItem]:
    """The items of a repository; of the branch main where none is named."""
    return _listed(board)


@router.get("/v1/board/{name}")
def show_item(visitor: Reader, board: Board, name: Name, src: Source = None) -> BoardItem:
    """One item with what it says; that it was read is counted."""
    return BoardItem(**item_json(board.get(name, src or ""), whole=True))


@router.get("/v1/repositories/{repository:path}/board/{name}")
def show_repository_item(visitor: Reader, board: RepositoryBoard, name: Name, src: Source = None) -> BoardItem:
    """One item of a repository; that it was read is counted."""
    return BoardItem(**item_json(board.get(name, src or ""), whole=True))


@router.post("/v1/board", status_code=201, response_model=BoardItem, responses=ADDED)
def add_item(
    request: Request, visitor: Writer, memory: Memory, board: Board, body: NewItem, key: Key = None
) -> JSONResponse:
    """Add an item, or overwrite your own of that name."""
    return _added(request, visitor, memory, board, body, key)


@router.post("/v1/repositories/{repository:path}/board", status_code=201, response_model=BoardItem, responses=ADDED)
def add_repository_item(
    request: Request, visitor: Writer, memory: RepositoryMemory, board: RepositoryBoard, body: NewItem, key: Key = None
) -> JSONResponse:
    """Add an item to the board of a repository, or overwrite your own of that name."""
    return _added(request, visitor, memory, board, body, key)


@router.delete("/v1/board/{name}")
def prune_item(visitor: Writer, board: Board, name: Name, src: Source = None) -> BoardItem:
    """Take an item off; a program takes off agents' items only."""
    return _pruned(visitor, board, name, src)


@router.delete("/v1/repositories/{repository:path}/board/{name}")
def prune_repository_item(visitor: Writer, board: RepositoryBoard, name: Name, src: Source = None) -> BoardItem:
    """Take an item off the board of a repository; a program takes off agents' items only."""
    return _pruned(visitor, board, name, src)


def _listed(board: ContextBoard) -> list[ListedItem]:
    return [ListedItem(**item_json(one)) for one in board.list()]


def _added(
    request: Request, visitor: Visitor, memory: Recollect, board: ContextBoard, body: NewItem, key: str | None
) -> JSONResponse:
    src, made_by = (USER, USER) if visitor.is_person else (AGENT, visitor.name)

    def do() -> tuple[int, Any]:
        done = board.add(body.name, body.description, body.content, src=src, made_by=made_by)
        return 201 if done.is_new else 200, item_json(done.item, whole=True)

    if key is None:
        status, answer = do()
    else:
        asked = [request.method, request.url.path, board.place, body.model_dump()]
        status, answer = answer_once(visitor.key, key, asked, do, memory=memory.opened)
    return JSONResponse(answer, status)


def _pruned(visitor: Visitor, board: ContextBoard, name: str, src: str | None) -> BoardItem:
    pruned = board.prune(name, src or "", by=USER if visitor.is_person else AGENT)
    return BoardItem(**item_json(pruned, whole=True))
