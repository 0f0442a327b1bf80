"""`jumok evaluate`: how good a trained model is, by length too, and beside others."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from jumok.cli.options import Changes

if TYPE_CHECKING:
    from jumok.data import TextPair
    from jumok.evaluation import Gold, Report
    from jumok.evaluation.faithfulness import ErasureRow
    from jumok.systems.pairs import Pairs

FAITHFUL_ON = 100
PERMUTED_ON = 20


def evaluate(
    model: Annotated[Path, typer.Argument(help="The folder of a trained model.", metavar="MODEL")],
    against: Annotated[
        list[Path] | None,
        typer.Option("--against", metavar="MODEL", help="Another model on the same sentences; may be repeated."),
    ] = None,
    split: Annotated[
        str | None,
        typer.Option("--split", metavar="NAME", help="Of the model's recipe: test (where it has one) or validation."),
    ] = None,
    source: Annotated[
        Path | None, typer.Option("--source", metavar="FILE", help="Your own sentences, one a line.")
    ] = None,
    target: Annotated[Path | None, typer.Option("--target", metavar="FILE", help="Their translations.")] = None,
    gold: Annotated[
        Path | None, typer.Option("--gold", metavar="FILE", help="Gold alignments in Pharaoh's format, a line a pair.")
    ] = None,
    gold_first: Annotated[int, typer.Option("--gold-first", help="The number of the first word there, 0 or 1.")] = 0,
    *,
    changes: Changes,
    beam: Annotated[int, typer.Option("--beam", min=1, help="Hypotheses to follow at once.")] = 5,
    length_penalty: Annotated[
        float, typer.Option("--length-penalty", min=0, help="The higher, the longer the translations.")
    ] = 1.0,
    language: Annotated[
        str | None, typer.Option("--language", metavar="CODE", help="The target language; found by its script without.")
    ] = None,
    paper: Annotated[
        bool,
        typer.Option("--paper", help="BLEU as papers report it, too: lower case, Moses' tokens; needs --language."),
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
    device: Annotated[str, typer.Option("--device", help="cpu, cuda, mps; auto takes the best there is.")] = "auto",
) -> None:
    """Score a trained model.

    \b
    jumok evaluate runs/korean                                   on the test pairs of its recipe
    jumok evaluate runs/korean --against runs/plain --by-length --chart lengths.svg
    jumok evaluate runs/mine --source test.en --target test.de --language de --paper
    """
    from jumok.systems.folders import read_config

    if read_config(model).system == "reading":
        from jumok.cli.evaluate_reader import evaluate_readers

        given = {"--source": source, "--target": target, "--gold": gold, "--language": language, "--paper": paper}
        given |= {"--by-length": by_length, "--edges": edges, "--chart": chart}
        return evaluate_readers(model, against or (), split, changes, given, faithful, save, as_json, device)
    if read_config(model).system == "answering":
        from jumok.cli.answer import evaluate_answers

        if against or source or target or gold or language or edges or chart or paper or by_length or faithful or save:
            raise ValueError("an answerer is scored task by task; it takes --split, --set, --json and --device only")
        return evaluate_answers(model, split, changes, as_json, device)
    from jumok.evaluation import bleu, chrf, paper_bleu, ter
    from jumok.systems import load
    from jumok.systems.cards import keep_scores
    from jumok.systems.evaluating import evaluate as score
    from jumok.systems.folders import read_config
    from jumok.systems.waiting import Waiting

    options: dict[str, Any] = {"beam": beam, "length_penalty": length_penalty}
    if read_config(model).system == "captioning":
        from jumok.cli.evaluate_captions import evaluate_captions

        given = {"--source": source, "--target": target, "--gold": gold, "--language": language, "--paper": paper}
        given |= {"--by-length": by_length, "--edges": edges, "--faithful": faithful, "--chart": chart}
        evaluate_captions(model, against or (), split, changes, options, given, save, as_json, device)
        return
    if paper and language is None:
        raise ValueError("--paper: give the target language, such as --language de")
    if chart is not None and not chart.absolute().parent.is_dir():
        raise ValueError(f"--chart {chart}: there is no folder {chart.parent}")
    ends = _edges(edges)
    told = _pairs(model, split, source, target, gold, gold_first, changes)
    metrics = [*([paper_bleu] if paper else []), bleu, chrf, ter]
    waiting = Waiting(as_json)
    reports: dict[str, Report] = {}
    tests: dict[str, dict[str, Any]] = {}
    for folder in (model, *(against or ())):
        name = _name(folder, reports)
        with waiting(f"{name}: translating {len(told.pairs):,} sentences of {told.name}"):
            translator = load(folder, device=device)
            reports[name], _ = score(
                translator,
                told.pairs,
                metrics=metrics,
                language=language,
                edges=ends,
                golds=told.golds,
                labels=told.labels,
                **options,
            )
        if faithful and reports[name].looks is not None:
            with waiting(f"{name}: erasing words"):
                tests[name] = _faithful(translator, told.pairs)
        if save:
            keep_scores(folder, reports[name], told.name, options)
    if chart is not None:
        _chart(reports, chart)
    if as_json:
        plain = {name: report.to_dict() | tests.get(name, {}) for name, report in reports.items()}
        typer.echo(json.dumps({"data": told.name, "models": plain}, ensure_ascii=False, indent=2))
        return
    _show(reports, tests, told.name, by_length)


def _pairs(
    model: Path,
    split: str | None,
    source: Path | None,
    target: Path | None,
    gold: Path | None,
    gold_first: int,
    changes: Sequence[str],
) -> Pairs:
    from jumok.evaluation import read_alignments
    from jumok.recipes.changing import parse_change
    from jumok.recipes.running import kept_recipe
    from jumok.systems.pairs import pairs_of_files, pairs_of_split

    if (source is None) != (target is None):
        raise ValueError("give both --source and --target")
    if source is not None and target is not None:
        if split is not None or changes:
            raise ValueError("--source and --target are the data; leave out --split and --set")
        told = pairs_of_files(source, target)
    else:
        told = pairs_of_split(kept_recipe(model, [parse_change(one) for one in changes]), split)
    if gold is not None:
        golds: list[Gold] = read_alignments(gold, gold_first)
        if len(golds) != len(told.pairs):
            raise ValueError(f"{gold}: has {len(golds):,} lines, but there are {len(told.pairs):,} pairs")
        told = told._replace(golds=golds, labels=None)
    return told


def _edges(text: str | None) -> list[int] | None:
    if text is None:
        return None
    try:
        return [int(part) for part in text.split(",")]
    except ValueError:
        raise ValueError(f"--edges {text}: give numbers with commas, such as 10,20,30") from None


def _name(folder: Path, taken: dict[str, Report]) -> str:
    """What a model is called: its folder's name, or its path where that name is taken."""
    name = folder.resolve().name
    return str(folder) if name in taken else name


def _faithful(translator: Any, pairs: Sequence[TextPair]) -> dict[str, Any]:
    from jumok.systems.evaluating import faithfulness, permuted, sampled

    rows: list[ErasureRow] = faithfulness(translator, sampled(pairs, FAITHFUL_ON))
    chances = permuted(translator, sampled(pairs, PERMUTED_ON))
    return {"erasure": [dict(row.__dict__) for row in rows], "permutation": chances}


def _chart(reports: dict[str, Report], path: Path) -> None:
    from jumok.evaluation import length_chart

    length_chart({name: report.by_length for name, report in reports.items()}).save(path)


def _show(reports: dict[str, Report], tests: dict[str, dict[str, Any]], data: str, by_length: bool) -> None:
    from rich.console import Console

    from jumok.evaluation import length_table, side_by_side

    console = Console(highlight=False)
    for name, report in reports.items():
        console.print(f"[bold]{name}[/] on {data}, {report.sentences:,} sentences", markup=True)
        console.print(report.table())
        if report.alignment is not None and report.alignment.labels:
            labels = report.alignment.labels.items()
            told = ", ".join(f"{label} {score.error_rate:.1%}" for label, score in labels if score.links)
            console.print(f"alignment error by part of speech: {told}")
        for warning in report.warnings:
            console.print(f"[yellow]{warning}[/]")
        for row in tests.get(name, {}).get("erasure", ()):
            said = "matter more than" if row["low"] > 0 else "matter no more than"
            console.print(
                f"without {row['share']:.0%} of the source words, those looked at most: {row['attended']:.2f} nats less"
                f" likely; at random: {row['random']:.2f} (words looked at {said} others)"
            )
        if chances := tests.get(name, {}).get("permutation"):
            below = sum(chance < 0.05 for chance in chances)
            console.print(f"weights moved about: less likely in {below} of {len(chances)} sentences (p < .05)")
        console.print()
    if len(reports) > 1:
        console.print(side_by_side(reports))
        console.print()
    if by_length:
        console.print(length_table({name: report.by_length for name, report in reports.items()}, "words of reference"))
