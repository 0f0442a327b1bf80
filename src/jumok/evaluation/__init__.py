"""From words to figures: scores with intervals, alignment, how attention looks, and whether it tells the truth.

Names are imported when they are first used, so that what needs torch or sacreBLEU comes only when it is asked for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from jumok.core.lazy import lazy

if TYPE_CHECKING:
    from jumok.evaluation.alignment import AlignmentScore as AlignmentScore
    from jumok.evaluation.alignment import AttentionAlignment as AttentionAlignment
    from jumok.evaluation.alignment import alignment_error_rate as alignment_error_rate
    from jumok.evaluation.alignment import attention_alignment as attention_alignment
    from jumok.evaluation.alignment import attention_links as attention_links
    from jumok.evaluation.alignment import by_label as by_label
    from jumok.evaluation.alignment import golds_of as golds_of
    from jumok.evaluation.captions import CaptionBleu as CaptionBleu
    from jumok.evaluation.captions import CiderD as CiderD
    from jumok.evaluation.captions import DocumentFrequencies as DocumentFrequencies
    from jumok.evaluation.captions import LengthRatio as LengthRatio
    from jumok.evaluation.captions import RougeL as RougeL
    from jumok.evaluation.captions import caption_bleu as caption_bleu
    from jumok.evaluation.captions import caption_scores as caption_scores
    from jumok.evaluation.captions import cider_d as cider_d
    from jumok.evaluation.captions import rouge_l as rouge_l
    from jumok.evaluation.comparing import Comparison as Comparison
    from jumok.evaluation.comparing import compare as compare
    from jumok.evaluation.faithfulness import Erasure as Erasure
    from jumok.evaluation.faithfulness import ErasureRow as ErasureRow
    from jumok.evaluation.faithfulness import Permutation as Permutation
    from jumok.evaluation.faithfulness import erasure as erasure
    from jumok.evaluation.faithfulness import output_change as output_change
    from jumok.evaluation.faithfulness import over_sentences as over_sentences
    from jumok.evaluation.faithfulness import permutation as permutation
    from jumok.evaluation.gold_regions import Pointing as Pointing
    from jumok.evaluation.gold_regions import pointing as pointing
    from jumok.evaluation.java_meteor import meteor as meteor
    from jumok.evaluation.languages import language_of as language_of
    from jumok.evaluation.lengths import LengthRow as LengthRow
    from jumok.evaluation.lengths import by_length as by_length
    from jumok.evaluation.lengths import length_chart as length_chart
    from jumok.evaluation.lengths import length_table as length_table
    from jumok.evaluation.lengths import word_counts as word_counts
    from jumok.evaluation.looks import Diagnosis as Diagnosis
    from jumok.evaluation.looks import diagnose as diagnose
    from jumok.evaluation.metric import Metric as Metric
    from jumok.evaluation.metric import Statistics as Statistics
    from jumok.evaluation.paper import PaperBleu as PaperBleu
    from jumok.evaluation.paper import paper_bleu as paper_bleu
    from jumok.evaluation.pharaoh import Gold as Gold
    from jumok.evaluation.pharaoh import format_alignment as format_alignment
    from jumok.evaluation.pharaoh import parse_alignment as parse_alignment
    from jumok.evaluation.pharaoh import read_alignments as read_alignments
    from jumok.evaluation.pharaoh import write_alignments as write_alignments
    from jumok.evaluation.ptb import ptb_tokens as ptb_tokens
    from jumok.evaluation.report import Report as Report
    from jumok.evaluation.report import side_by_side as side_by_side
    from jumok.evaluation.scene_contents import Contents as Contents
    from jumok.evaluation.scene_contents import contents as contents
    from jumok.evaluation.score import Score as Score
    from jumok.evaluation.scores import Bleu as Bleu
    from jumok.evaluation.scores import Chrf as Chrf
    from jumok.evaluation.scores import Ter as Ter
    from jumok.evaluation.scores import bleu as bleu
    from jumok.evaluation.scores import chrf as chrf
    from jumok.evaluation.scores import perplexity as perplexity
    from jumok.evaluation.scores import ter as ter

_HOMES = {
    "AlignmentScore": "jumok.evaluation.alignment",
    "AttentionAlignment": "jumok.evaluation.alignment",
    "Bleu": "jumok.evaluation.scores",
    "CaptionBleu": "jumok.evaluation.captions",
    "Chrf": "jumok.evaluation.scores",
    "CiderD": "jumok.evaluation.captions",
    "Comparison": "jumok.evaluation.comparing",
    "Contents": "jumok.evaluation.scene_contents",
    "Diagnosis": "jumok.evaluation.looks",
    "DocumentFrequencies": "jumok.evaluation.captions",
    "Erasure": "jumok.evaluation.faithfulness",
    "ErasureRow": "jumok.evaluation.faithfulness",
    "Gold": "jumok.evaluation.pharaoh",
    "LengthRatio": "jumok.evaluation.captions",
    "LengthRow": "jumok.evaluation.lengths",
    "Metric": "jumok.evaluation.metric",
    "PaperBleu": "jumok.evaluation.paper",
    "Permutation": "jumok.evaluation.faithfulness",
    "Pointing": "jumok.evaluation.gold_regions",
    "Report": "jumok.evaluation.report",
    "RougeL": "jumok.evaluation.captions",
    "Score": "jumok.evaluation.score",
    "Statistics": "jumok.evaluation.metric",
    "Ter": "jumok.evaluation.scores",
    "alignment_error_rate": "jumok.evaluation.alignment",
    "attention_alignment": "jumok.evaluation.alignment",
    "attention_links": "jumok.evaluation.alignment",
    "bleu": "jumok.evaluation.scores",
    "by_label": "jumok.evaluation.alignment",
    "by_length": "jumok.evaluation.lengths",
    "caption_bleu": "jumok.evaluation.captions",
    "caption_scores": "jumok.evaluation.captions",
    "chrf": "jumok.evaluation.scores",
    "cider_d": "jumok.evaluation.captions",
    "compare": "jumok.evaluation.comparing",
    "contents": "jumok.evaluation.scene_contents",
    "diagnose": "jumok.evaluation.looks",
    "erasure": "jumok.evaluation.faithfulness",
    "format_alignment": "jumok.evaluation.pharaoh",
    "golds_of": "jumok.evaluation.alignment",
    "language_of": "jumok.evaluation.languages",
    "length_chart": "jumok.evaluation.lengths",
    "length_table": "jumok.evaluation.lengths",
    "meteor": "jumok.evaluation.java_meteor",
    "output_change": "jumok.evaluation.faithfulness",
    "over_sentences": "jumok.evaluation.faithfulness",
    "paper_bleu": "jumok.evaluation.paper",
    "parse_alignment": "jumok.evaluation.pharaoh",
    "permutation": "jumok.evaluation.faithfulness",
    "perplexity": "jumok.evaluation.scores",
    "pointing": "jumok.evaluation.gold_regions",
    "ptb_tokens": "jumok.evaluation.ptb",
    "read_alignments": "jumok.evaluation.pharaoh",
    "rouge_l": "jumok.evaluation.captions",
    "side_by_side": "jumok.evaluation.report",
    "ter": "jumok.evaluation.scores",
    "word_counts": "jumok.evaluation.lengths",
    "write_alignments": "jumok.evaluation.pharaoh",
}

__all__ = sorted(_HOMES)

__getattr__, __dir__ = lazy(__name__, _HOMES)
