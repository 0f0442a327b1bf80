"""`python -m jumok.cli`: the same commands, where the script is not on the path (torchrun -m jumok.cli train ...)."""

from jumok.cli import main

main()
