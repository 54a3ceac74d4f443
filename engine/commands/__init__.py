"""The subcommands of the program `miai`, one file each; `main.py` finds them.

A subcommand is a module with HELP (one line), `add_arguments(parser)` and `run(args)`, which
returns the exit code. Heavy imports belong inside `run`.
"""
