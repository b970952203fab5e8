"""The small site of the security tests, as something worth backing up."""

from tests.security.conftest import made_site  # noqa: F401
