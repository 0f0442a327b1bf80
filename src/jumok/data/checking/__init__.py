"""What is wrong with a corpus, before it is learnt: duplicates, odd lengths, wrong scripts, leaks between splits."""

from jumok.data.checking.checking import check
from jumok.data.checking.findings import Checked, Example, Finding, SplitFigures, check_lines

__all__ = ["Checked", "Example", "Finding", "SplitFigures", "check", "check_lines"]
