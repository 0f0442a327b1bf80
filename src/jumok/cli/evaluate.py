"""`jumok evaluate`: how good a trained model is, by length too, and beside others."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer

from jumok.cli.asked import Asked
from jumok.cli.options import Beside, Device, Searching, search_options


def evaluate(
    model: Annotated[Path, typer.Argument(help="The folder of a trained model.", metavar="MODEL")],
    beside: Beside = None,
    against: Annotated[
        list[Path] | None,
        typer.Option("--against", metavar="MODEL", help="Another model on the same sentences; may be repeated."),
    ] = None,
    split: Annotated[
        str | None,
        typer.Option("--split", metavar="NAME", help="Of the model's recipe: test (where it has one) or validation."),
    ] = None,
    data: Annotated[
        Path | None,
        typer.Option(
            "--data", metavar="FILE", help="Your own data, in a form that training takes, such as a .tsv or .csv."
        ),
    ] = None,
    source: Annotated[
        Path | None, typer.Option("--source", metavar="FILE", help="Of a translator: sentences, one a line.")
    ] = None,
    target: Annotated[Path | None, typer.Option("--target", metavar="FILE", help="Their translations.")] = None,
    gold: Annotated[
        Path | None, typer.Option("--gold", metavar="FILE", help="Gold alignments in Pharaoh's format, a line a pair.")
    ] = None,
    gold_first: Annotated[
        int, typer.Option("--gold-first", help="Whether that file counts words from 0 or from 1.")
    ] = 0,
    *,
    changes: Annotated[
        list[str],
        typer.Option(
            "--set",
            metavar="FIELD=VALUE",
            help="Change a field of the recipe's data, such as data.test.held_out=true or data.root=FOLDER; as often as"
            " you like.",
            default_factory=list,
            show_default=False,
        ),
    ],
    beam: Annotated[int, typer.Option("--beam", min=1, help="Hypotheses to follow at once.")] = 5,
    length_penalty: Annotated[
        float, typer.Option("--length-penalty", min=0, help="The higher, the longer the translations.")
    ] = 1.0,
    searching: Searching = None,
    language: Annotated[
        str | None,
        typer.Option(
            "--language", metavar="CODE", help="The target language; without, the recipe's, or found by its script."
        ),
    ] = None,
    paper: Annotated[
        bool,
        typer.Option(
            "--paper",
            help="BLEU as papers report it, too: lower case, Moses' tokens, which needs the language; of captions: full"
            " stops count as words.",
        ),
    ] = False,
    by_length: Annotated[bool, typer.Option("--by-length", help="Show the score by the length of sentences.")] = False,
    edges: Annotated[
        str | None, typer.Option("--edges", metavar="N,N,...", help="Where the stretches of length end.")
    ] = None,
    faithful: Annotated[
        bool, typer.Option("--faithful", help="Test whether it matters what it looks at; takes a while.")
    ] = False,
    chart: Annotated[
        Path | None,
        typer.Option("--chart", metavar="FILE", help="The score by length as a chart: .svg, .png, .pdf or .html."),
    ] = None,
    save: Annotated[
        bool, typer.Option("--save", help="Keep the scores in the model's folder, and in its README.md.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print the figures as JSON, for programs.")] = False,
    device: Device = "auto",
) -> None:
    """Score a trained model.

    \b
    jumok evaluate runs/korean                on the test pairs of its recipe
    jumok evaluate runs/korean --against runs/plain --by-length --chart by.svg
    jumok evaluate runs/mine --data test.tsv  on pairs of your own
    jumok evaluate runs/mine --source test.en --target test.de --paper
    """
    asked = Asked(
        model=model,
        beside=beside or [],
        against=against or [],
        split=split,
        data=data,
        source=source,
        target=target,
        gold=gold,
        gold_first=gold_first,
        changes=changes,
        search=searching or [],
        searching=search_options(beam, length_penalty, more=searching or ()),
        language=language,
        paper=paper,
        by_length=by_length,
        edges=edges,
        faithful=faithful,
        chart=chart,
        save=save,
        as_json=as_json,
        device=device,
    )
    if asked.beside and asked.save:
        raise ValueError("--save: the scores of models that decide together are not those of one; leave out --with")
    _scorer(asked)(asked)


def _scorer(asked: Asked) -> Callable[[Asked], None]:
    """Who scores models of this kind; each brings in what it needs."""
    from jumok.systems.folders import read_config

    system = read_config(asked.model).system
    for other in asked.against:
        if (its := read_config(other).system) != system:
            raise ValueError(f"--against {other}: holds a model for {its}, {asked.model} one for {system}")
    if system == "answering":
        from jumok.cli.answer import evaluate_answers

        return evaluate_answers
    if system == "captioning":
        from jumok.cli.evaluate_captions import evaluate_captions

        return evaluate_captions
    if system == "graphs":
        from jumok.cli.evaluate_graph import evaluate_graphs

        return evaluate_graphs
    if system == "reading":
        from jumok.cli.evaluate_reader import evaluate_readers

        return evaluate_readers
    from jumok.cli.evaluate_translations import evaluate_translations

    return evaluate_translations
