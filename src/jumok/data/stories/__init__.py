"""Stories and questions about them: the format of the bAbI tasks, and practice stories of six kinds."""

from jumok.data.stories.babi import format_babi, parse_babi, read_babi
from jumok.data.stories.practice import KINDS, VERSION, Stories
from jumok.data.stories.question import Question

__all__ = ["KINDS", "VERSION", "Question", "Stories", "format_babi", "parse_babi", "read_babi"]
