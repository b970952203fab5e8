"""How an operation of the API is documented: one decorator that leaves out neither its sentence nor its example."""

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from drf_spectacular.utils import OpenApiExample, OpenApiParameter, OpenApiResponse, extend_schema

from aurum_league.common.api.sparse import FIELDS, SparseSerializer

View = TypeVar("View", bound=Callable[..., Any])

IDEMPOTENCY_KEY = OpenApiParameter(
    "Idempotency-Key",
    str,
    OpenApiParameter.HEADER,
    description="1 to 64 signs of your choice; sent again with the same request it gets the first answer again",
)
JSON = "application/json"


def operation(
    *,
    id: str,
    summary: str,
    answer: Any,
    example: Any,
    description: str = "",
    status: int = 200,
    media: str = JSON,
    request: Any = None,
    request_example: Any = None,
    parameters: Sequence[OpenApiParameter] = (),
    is_once: bool | None = None,
) -> Callable[[View], View]:
    """Document one method of a view. Lists give the example of one row; errors are added for every operation alike.

    `is_once` says whether the method is wrapped in `answer_once`; one that takes a body is, unless told otherwise.
    """
    shown = [OpenApiExample("answer", example, media_type=media, response_only=True, status_codes=[str(status)])]
    if request_example is not None:
        shown.append(OpenApiExample("request", request_example, request_only=True))
    extra = [*parameters]
    one = getattr(answer, "child", answer)
    if _is_sparse(one):
        extra.append(FIELDS)
    if request is not None if is_once is None else is_once:
        extra.append(IDEMPOTENCY_KEY)
    return extend_schema(
        operation_id=id,
        summary=summary,
        description=description or f"{summary}.",
        request=request,
        responses={(status, media): OpenApiResponse(answer, description=summary)},
        parameters=extra,
        examples=shown,
    )


def _is_sparse(answer: Any) -> bool:
    return isinstance(answer, SparseSerializer) or (isinstance(answer, type) and issubclass(answer, SparseSerializer))
