"""Lists page by page: the header Link names the next page, as long as there is one."""

from __future__ import annotations

from typing import Annotated
from urllib.parse import quote

from fastapi import Query, Request, Response

MOST = 500
USUAL = 50

Limit = Annotated[int, Query(ge=1, le=MOST, description="Maximum items on this page.")]
Offset = Annotated[int, Query(ge=0, le=1_000_000, description="How many items to skip.")]


def name_next(request: Request, response: Response, **parameters: object) -> None:
    """Say where the next page is."""
    following = request.url.include_query_params(**parameters)
    # The name of a repository may have any character in it, also a line break.
    response.headers["Link"] = f'<{quote(request.scope["path"])}?{quote(following.query, safe="=&%+")}>; rel="next"'
