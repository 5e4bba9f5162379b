"""What Kodi runs while it runs."""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "resources", "lib"))

from latchkey_kodi import service  # noqa: E402

service.Service().run()
