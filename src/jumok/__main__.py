"""`python -m jumok`: the same commands, where the script is not on the path (torchrun -m jumok train ...)."""

from jumok.cli import main

main()
