"""Paper BLEU: the figure that papers of the years of Moses report, on lower-cased and tokenized text."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from importlib.metadata import version

from jumok.evaluation.metric import Metric, Statistics
from jumok.evaluation.scores import bleu_statistics


class PaperBleu(Metric):
    """BLEU of text that is prepared as papers on Multi30k and the early WMT sets prepare theirs.

    Both sides are lower-cased, their punctuation is normalised and they are tokenized by sacremoses (with escapes,
    without splits at dashes); sacreBLEU then cuts at spaces only. Never compare it with `bleu`. It needs the language.
    """

    def _statistics(self, outputs: list[str], references: list[list[str]], language: str | None) -> Statistics:
        from sacrebleu.metrics.bleu import BLEU

        if language is None:
            raise ValueError('paper BLEU needs the target language, such as language="de"')
        prepare = moses(language)
        metric = BLEU(tokenize="none", force=True)
        sides = [prepare(text) for text in outputs], [[prepare(text) for text in texts] for texts in references]
        statistics = bleu_statistics("paper BLEU", metric, *sides)
        return Statistics(statistics.name, statistics.counts, statistics.values, _said(statistics.signature, language))


paper_bleu = PaperBleu()


def moses(language: str) -> Callable[[str], str]:
    """Lower-case, normalise the punctuation, tokenize."""
    try:
        sacremoses = import_module("sacremoses")
    except ImportError:
        raise ValueError("paper BLEU needs a package that is not installed: pip install sacremoses") from None
    normalizer, tokenizer = sacremoses.MosesPunctNormalizer(language), sacremoses.MosesTokenizer(language)

    def prepare(text: str) -> str:
        plain = normalizer.normalize(text.strip().lower())
        return str(tokenizer.tokenize(plain, aggressive_dash_splits=False, escape=True, return_str=True))

    return prepare


def _said(signature: str, language: str) -> str:
    """The signature with what was done to the text before."""
    done = signature.replace("case:mixed", "case:lc").replace("tok:none", f"tok:moses-{language}")
    return f"{done}|sacremoses:{version('sacremoses')}"
