"""Everything that the OpenAPI document allows is asked: no answer is an error of ours, and none is undocumented."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from hypothesis.errors import Unsatisfiable
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.core.result import Ok
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from tests.services import HERE, Service

CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
]
EXAMPLES = 2  # of each operation, that fit and that do not


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    made = Service(tmp_path_factory.mktemp("document"), RECOLLECT_SERVE__REQUESTS_PER_MINUTE="1000000")
    made.store("The deploy target is Render.", tags=["deploy"])
    yield made
    made.close()


def test_every_answer_is_documented_and_none_is_an_error(service: Service) -> None:
    host = {"Host": HERE.removeprefix("http://")}
    headers = {**host, "Authorization": f"Bearer {service.secrets['admin']}"}
    asked = schemathesis.openapi.from_asgi("/openapi.json", service.app, headers=host)
    tried = 0
    for found in asked.get_all_operations():
        assert isinstance(found, Ok)
        operation = found.ok()
        if operation.path == "/v1/events":  # a stream has no end
            continue

        for mode in (GenerationMode.POSITIVE, GenerationMode.NEGATIVE):

            @given(case=operation.as_strategy(generation_mode=mode))
            @settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=list(HealthCheck), database=None)
            def answered(case: schemathesis.Case[Any]) -> None:
                case.call_and_validate(headers=headers, checks=CHECKS)

            with suppress(Unsatisfiable):  # where everything fits
                answered()
        tried += 1
    assert tried > 25
