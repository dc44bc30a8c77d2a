"""How somebody else runs things, who has installed `softrail[testing]` and nothing of what only our own tests use."""

import sys

#: Each plugin of pytest that is installed is loaded by every run; the two that are left out take seconds to.
PYTEST = (
    *(sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"),
    *("-p", "no:schemathesis", "-p", "no:hypothesispytest"),
)
