"""``truco-spec completion``: the script for a shell."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class


@click.command(
    name="completion",
    help="""Print the script that lets a SHELL complete verbs and options.

\b
Examples:
  truco-spec completion bash > ~/.local/share/bash-completion/completions/truco-spec
  truco-spec completion zsh  > ~/.zfunc/_truco-spec
  truco-spec completion fish > ~/.config/fish/completions/truco-spec.fish

Exit status: 0 all well, 2 the input cannot be used.""",
)
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def command(shell: str) -> None:
    """Print the script."""
    from truco_spec.cli.commands import COMPLETION, PROGRAM, group

    made = get_completion_class(shell)
    assert made is not None
    script = made(group, {}, PROGRAM, COMPLETION)
    # Not source(): for bash that starts a bash, only to check its version.
    source = script.source_template % script.source_vars()
    click.echo(source.replace("-o nosort", "-o nosort -o default"))  # where no word of ours fits, file names
