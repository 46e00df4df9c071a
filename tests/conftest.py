"""What all tests share: property tests that answer the same on every machine."""

import os

from browser import browser, one_browser  # noqa: F401 -- fixtures
from hypothesis import HealthCheck, settings

settings.register_profile("here", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("long", parent=settings.get_profile("here"), max_examples=5000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "here"))
