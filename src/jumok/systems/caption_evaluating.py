"""All figures of a captioner on some pictures: scores, how it looks, and on practice pictures whether it is right."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from jumok.core.names import unknown
from jumok.data.pictures import CaptionedPicture, PictureScene, open_picture_split
from jumok.data.scenes import Scene
from jumok.evaluation import (
    CaptionBleu,
    Diagnosis,
    Report,
    Score,
    caption_scores,
    contents,
    diagnose,
    language_of,
    meteor,
    perplexity,
    pointing,
)
from jumok.systems.captioner import Captioner
from jumok.systems.captioning import CaptioningRecipe
from jumok.systems.prediction import Prediction
from jumok.viewing import AttentionMap

LOOKED_AT = 500
"""So many captions are enough to tell how a model looks."""


class Pictures(NamedTuple):
    """Pictures with what people should call them."""

    name: str
    pictures: list[CaptionedPicture]


def pictures_of_split(recipe: CaptioningRecipe, split: str | None) -> Pictures:
    """The pictures of a split of a recipe: by default test, where there is one, else validation."""
    known = [name for name in ("train", "validation", "test") if getattr(recipe.data, name) is not None]
    name = split or known[-1]
    if name not in known:
        raise ValueError(f"--split: {unknown('split', name, known)}")
    corpus = open_picture_split(name, recipe.data, Path())
    return Pictures(name, list(corpus.readable() if corpus.skip else corpus))


def evaluate_captions(
    captioner: Captioner, pictures: Sequence[CaptionedPicture], paper: bool = False, **search: Any
) -> tuple[Report, list[Prediction]]:
    """Write captions of the pictures and score them; returns the figures and the captions.

    paper: whether to count words as some publications do, too: all that stands between spaces, full stops as well.

    BLEU and the others are of captions that the model writes alone. Perplexity is of the captions of people, each word
    after the right ones before it; so is pointing, on practice pictures.
    """
    if not pictures:
        raise ValueError("there are no pictures to evaluate on")
    refs = [entry.picture for entry in pictures]
    references = [list(entry.captions) for entry in pictures]
    found = captioner(refs, **search)
    outputs = [prediction.text for prediction in found]
    scores = caption_scores(outputs, references, interval=True)
    english = language_of(text for texts in references for text in texts) in (None, "en")
    notes: list[str] = []
    for marks in (False, True) if paper else (False,):
        if marks:
            scores += [CaptionBleu(order, marks=True)(outputs, references, interval=True) for order in range(1, 5)]
        if english and not notes:
            try:
                scores.append(meteor(outputs, references, marks=marks))
            except ValueError as error:  # Java's, or that it is not there
                notes.append(f"METEOR is left out: it {str(error).removeprefix('METEOR ')}")
    owners = [ref for ref, texts in zip(refs, references, strict=True) for _ in texts]
    forced = captioner.score(owners, [text for texts in references for text in texts])
    tokens = sum(len(prediction.tokens) for prediction in forced)
    scores.append(Score("perplexity", perplexity(sum(one.score for one in forced), tokens), "teacher forcing"))
    scenes = [ref.scene() for ref in refs if isinstance(ref, PictureScene)]
    if len(scenes) == len(refs):
        scores += _practice(outputs, forced, scenes, references)
    maps = [prediction.attention for prediction in found[:LOOKED_AT] if prediction.attention is not None]
    return Report(len(pictures), tuple(scores), looks=_diagnosed(maps), notes=tuple(notes)), found


def _diagnosed(maps: Sequence[AttentionMap]) -> Diagnosis | None:
    try:
        return diagnose(maps)
    except ValueError:  # no attention, or no caption of three words
        return None


def _practice(
    outputs: Sequence[str], forced: Sequence[Prediction], scenes: Sequence[Scene], references: Sequence[Sequence[str]]
) -> list[Score]:
    """What only practice pictures can tell: whether captions are right, and whether words point at their things."""
    language = "korean" if references[0][0].lower() == scenes[0].korean.lower() else "english"
    told = contents(outputs, scenes, language)
    shares = {"objects right": told.objects, "colours right": told.colours, "relations right": told.relations}
    shares["all right"] = told.right
    shares |= {f"all right, {count} object{'s' * (count > 1)}": share for count, share in told.by_objects.items()}
    scores = [Score(name, 100 * share, "% of captions") for name, share in shares.items()]
    maps = [prediction.attention for prediction in forced]
    there = [look for look in maps if look is not None]
    if len(there) < len(maps):
        return scores
    for name, roles in (("nouns", ("noun",)), ("all words of things", ("noun", "colour", "size", "number", "counter"))):
        regions = [
            [boxes if word.role in roles else None for word, boxes in zip(words, scene.regions(language), strict=True)]
            for scene, words in ((scene, scene.words(language)) for scene in scenes)
        ]
        found = pointing(there, regions)
        if found is not None:
            scores.append(Score(f"pointing, {name}", 100 * found.accuracy, f"% of {found.words:,} words"))
            even = f"% of the weight; {100 * found.even:.1f} if it looked everywhere alike"
            scores.append(Score(f"weight inside, {name}", 100 * found.inside, even))
    return scores
