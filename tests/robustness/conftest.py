from __future__ import annotations

import resource

# Thousands of connections need as many descriptors.
_, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
