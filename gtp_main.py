"""Start the engine on stdin and stdout; the same as the installed program `miai`."""

import sys

from engine.commands.main import main

if __name__ == "__main__":
    sys.exit(main())
