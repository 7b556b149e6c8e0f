"""Everything that the OpenAPI document allows is asked: no answer is an error of ours, and none is undocumented."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import schemathesis
from hypothesis import HealthCheck, settings
from schemathesis.checks import not_a_server_error
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
EXAMPLES = 6  # of each operation


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    made = Service(tmp_path_factory.mktemp("document"), RECOLLECT_SERVE__REQUESTS_PER_MINUTE="1000000")
    made.store("The deploy target is Render.", tags=["deploy"])
    yield made
    made.close()


@pytest.fixture(scope="module")
def api_schema(service: Service) -> schemathesis.schemas.BaseSchema:
    # A stream has no end.
    return schemathesis.openapi.from_asgi("/openapi.json", service.app).exclude(path="/v1/events")


schema = schemathesis.pytest.from_fixture("api_schema")


@schema.parametrize()
@settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=list(HealthCheck), database=None)
def test_every_answer_is_documented_and_none_is_an_error(case: schemathesis.Case, service: Service) -> None:
    headers = {"Authorization": f"Bearer {service.secrets['admin']}", "Host": HERE.removeprefix("http://")}
    case.call_and_validate(headers=headers, checks=CHECKS)
