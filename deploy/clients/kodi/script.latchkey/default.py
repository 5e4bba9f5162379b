"""What Kodi runs for the add-on's tile and for RunScript(script.latchkey,…)."""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "resources", "lib"))

from latchkey_kodi import script  # noqa: E402

script.main(sys.argv[1:])
