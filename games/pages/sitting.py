"""Who sends a request: the account, the guest's secret in the session, and the answer to a refusal."""

from uuid import UUID, uuid4

from django.http import HttpRequest

from games.selectors.sitters import Sitter

GUEST_KEY = "guest"


def read_sitter(request: HttpRequest) -> Sitter:
    """Whoever this is now; a stranger gets no session by looking."""
    guest = request.session.get(GUEST_KEY)
    return Sitter(request.user.pk if request.user.is_authenticated else None, UUID(guest) if guest else None)


def ensure_sitter(request: HttpRequest) -> Sitter:
    """The same, and a stranger becomes a guest with a secret of their own."""
    if not request.user.is_authenticated and GUEST_KEY not in request.session:
        request.session[GUEST_KEY] = str(uuid4())
    return read_sitter(request)
