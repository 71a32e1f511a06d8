"""Settings that every test shares."""

from __future__ import annotations

import os

from hypothesis import HealthCheck, settings

# Examples follow from the test alone, so a run says the same on every machine. HYPOTHESIS_PROFILE
# =search looks further, at random.
settings.register_profile(
    "repeat", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow]
)
settings.register_profile("search", settings.get_profile("repeat"), derandomize=False)
settings.load_profile("repeat")

# pytest turns warnings of this process into errors; numpy's are errors in those that it starts too.
os.environ["PYTHONWARNINGS"] = "error::RuntimeWarning"
