"""The command line: ``python -m qa_core``."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from qa_core import __version__
from qa_core.datasets import DATASETS, load_dataset, statistics
from qa_core.errors import CrossheadError
from qa_core.prediction import Prediction
from qa_core.systems.registry import SYSTEMS, load_system
from qa_core.table import Location, Table, join_path
from qa_core.table_format import read_tables
from qa_core.text import as_text
from qa_core.transform import TRANSFORMATIONS, flatten

if TYPE_CHECKING:
    from qa_core.evaluation.store import RunStore

_EXAMPLES = """\
examples:
  python -m qa_core datasets
  python -m qa_core datasets --data-dir ~/AITQA/data
  python -m qa_core evaluate --dataset sample --system lexical --transformation base
  python -m qa_core evaluate --dataset aitqa --data-dir ~/AITQA/data --system rci \\
      --transformation transpose-partial --json
  python -m qa_core ask table.json "What was the load factor in 2018?"
  python -m qa_core ask tables.jsonl --table-id s-air-op-2 "Mainline load factor, 2018?" --json
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; returns the exit code: 0, 1 after an interrupt, 2 for bad input."""
    options = _parser().parse_args(arguments)
    try:
        command: Callable[[argparse.Namespace], None] = options.command
        command(options)
    except CrossheadError as fault:
        print(f"crosshead: {fault}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("\ncrosshead: stopped; finished predictions are kept.", file=sys.stderr)
        return 1
    except BrokenPipeError:
        return 0
    return 0


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> Any:
        print(f"crosshead: {message}; see python -m qa_core --help.", file=sys.stderr)
        raise SystemExit(2)


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(
        prog="python -m qa_core",
        description="Question answering over tables with hierarchical headers.",
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"crosshead {__version__}")
    commands = parser.add_subparsers(required=True, metavar="COMMAND", parser_class=_Parser)

    datasets = commands.add_parser("datasets", help="list the datasets and what they hold")
    datasets.add_argument("--data-dir", type=Path, metavar="DIR", help="an AIT-QA folder to count as well")
    datasets.add_argument("--json", action="store_true", help="print JSON")
    datasets.set_defaults(command=_datasets)

    evaluate = commands.add_parser(
        "evaluate",
        help="run a system over a dataset; a run that was interrupted goes on where it stopped",
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    evaluate.add_argument("--dataset", choices=list(DATASETS), default="sample")
    evaluate.add_argument("--data-dir", type=Path, metavar="DIR", help="folder of the dataset aitqa")
    _add_system(evaluate)
    evaluate.add_argument("--limit", type=_positive, metavar="N", help="only the first N questions")
    evaluate.add_argument("--store", metavar="URL", help="run store, an SQLAlchemy URL (CROSSHEAD_STORE)")
    evaluate.add_argument("--fresh", action="store_true", help="answer again what the store already holds")
    evaluate.add_argument("--json", action="store_true", help="print JSON")
    evaluate.set_defaults(command=_evaluate)

    ask = commands.add_parser(
        "ask",
        help="ask one question over a table in the AIT-QA JSON format",
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    ask.add_argument("table", type=Path, metavar="TABLE.json")
    ask.add_argument("question")
    ask.add_argument("--table-id", metavar="ID", help="which table of a file that holds several")
    _add_system(ask)
    ask.add_argument("--json", action="store_true", help="print JSON")
    ask.set_defaults(command=_ask)
    return parser


def _add_system(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--system", choices=list(SYSTEMS), default="lexical")
    parser.add_argument("--transformation", choices=list(TRANSFORMATIONS), default="base")
    parser.add_argument("--encoder", metavar="NAME", help="a Hugging Face encoder by name or folder")


def _positive(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of at least 1")
    return int(text)


def _datasets(options: argparse.Namespace) -> None:
    listed = []
    for spec in DATASETS.values():
        entry: dict[str, Any] = {"name": spec.name, "description": spec.description}
        if not spec.needs_folder or options.data_dir:
            dataset = load_dataset(spec.name, options.data_dir if spec.needs_folder else None)
            counts = statistics(dataset)
            entry |= {
                "tables": counts.tables,
                "questions": counts.questions,
                "warnings": [*dataset.warnings, *_table_warnings(dataset.tables.values())],
            }
        listed.append(entry)
    if options.json:
        _print_json(listed)
        return
    for entry in listed:
        size = (
            f"{entry['tables']} tables, {entry['questions']} questions" if "tables" in entry else "--data-dir"
        )
        print(f"{entry['name']:10} {size:28} {entry['description']}")
        for warning in entry.get("warnings", ()):
            print(f"{'':10} {warning}")


def _table_warnings(tables: Any) -> list[str]:
    return [f"{table.id}: {warning}" for table in tables for warning in table.warnings]


def _evaluate(options: argparse.Namespace) -> None:
    from qa_core.evaluation.runner import run_evaluation
    from qa_core.evaluation.store import RunStore

    dataset = load_dataset(options.dataset, options.data_dir)
    store = RunStore(options.store)
    system = load_system(options.system, options.encoder)
    run = run_evaluation(
        dataset,
        system,
        options.transformation,
        store,
        limit=options.limit,
        fresh=options.fresh,
        on_progress=_Progress(),
    )
    report = _report(store, run.id)
    if options.json:
        _print_json(report)
    else:
        _print_report(report)


def _report(store: RunStore, run_id: str) -> dict[str, Any]:
    run = store.run(run_id)
    return {
        "dataset": run.dataset,
        "system": run.system,
        "transformation": run.transformation,
        **store.summary(run_id),
        "seconds": round(run.seconds, 3),
        "run": run.id,
    }


class _Progress:
    """Progress on standard error: a running count on a terminal, elsewhere only what was there before."""

    def __init__(self) -> None:
        self._begun = False

    def __call__(self, done: int, total: int) -> None:
        if not self._begun and done:
            print(
                f"{done} of {total} questions were answered before; --fresh asks them again.", file=sys.stderr
            )
        elif sys.stderr.isatty():
            end = "\n" if done == total else ""
            print(f"\r{done} of {total} questions", end=end, file=sys.stderr, flush=True)
        self._begun = True


def _print_report(report: dict[str, Any]) -> None:
    print(f"{report['system']} · {report['transformation']} · {report['dataset']}, {report['n']} questions")
    print(f"\n{'':26}{'n':>5}  {'strict':>7}  {'normalised':>10}")
    rows = {"all": {"n": report["n"], **report["accuracy"]}, **report["slices"]}
    for name, row in rows.items():
        print(f"{name:26}{row['n']:>5}  {_percent(row['strict']):>7}  {_percent(row['normalised']):>10}")
    sets = report["paraphrase_sets"]
    print(f"\nparaphrase sets: {sets['all']} all right, {sets['some']} some, {sets['none']} none")
    print("\nmisses (strict)")
    for reason, n in report["misses"].items():
        print(f"{reason:26}{n:>5}")
    print(f"\n{report['seconds']:.2f} s · run {report['run']}")


def _percent(share: float | None) -> str:
    return "–" if share is None else f"{100 * share:.2f}"


def _ask(options: argparse.Namespace) -> None:
    table = _only_table(read_tables(options.table), options.table, options.table_id)
    system = load_system(options.system, options.encoder)
    from qa_core.systems.interface import Request

    options.question = as_text(options.question)
    if not options.question.strip():
        raise CrossheadError("The question is empty; type one between quotation marks.")
    prediction = system.predict([Request(options.question, flatten(table, options.transformation))])[0]
    if options.json:
        _print_json(_answer(table, prediction))
    else:
        _print_answer(table, prediction)


def _only_table(tables: list[Table], path: Path, table_id: str | None) -> Table:
    chosen = [table for table in tables if table_id is None or table.id == table_id]
    if len(chosen) == 1:
        return chosen[0]
    ids = ", ".join(table.id for table in tables[:8]) + (" …" if len(tables) > 8 else "")
    if not tables:
        raise CrossheadError(f"{path} holds no table.")
    if table_id is not None and not chosen:
        raise CrossheadError(f"{path} holds no table {table_id!r}; it holds {ids}.")
    raise CrossheadError(f"{path} holds {len(tables)} tables; choose one with --table-id: {ids}.")


def _answer(table: Table, prediction: Prediction) -> dict[str, Any]:
    location = prediction.location
    return {
        "answer": prediction.answer,
        "row_path": _row_path(table, location),
        "column_path": _column_path(table, location),
        "cell": location.as_list() if location and location.is_cell else None,
        "header": location.as_list() if location and not location.is_cell else None,
        "confidence": prediction.confidence,
        "candidates": [
            {
                "text": candidate.text,
                "cell": candidate.location.as_list(),
                "row_path": _row_path(table, candidate.location),
                "column_path": _column_path(table, candidate.location),
                "score": candidate.score,
            }
            for candidate in prediction.candidates
        ],
        "notes": list(prediction.notes),
        "warnings": list(table.warnings),
    }


def _row_path(table: Table, location: Location | None) -> list[str]:
    return list(table.row_path(location.row)) if location and location.row is not None else []


def _column_path(table: Table, location: Location | None) -> list[str]:
    return list(table.column_path(location.column)) if location and location.column is not None else []


def _print_answer(table: Table, prediction: Prediction) -> None:
    for warning in table.warnings:
        print(f"note: {warning}", file=sys.stderr)
    if not prediction.answer:
        print("no answer")
    for note in prediction.notes:
        print(f"note: {note}")
    if prediction.location:
        print(f"{prediction.answer}   (confidence {prediction.confidence:.2f})")
        print(f"  row     {join_path(tuple(_row_path(table, prediction.location)), ' > ') or '(no header)'}")
        print(
            f"  column  {join_path(tuple(_column_path(table, prediction.location)), ' > ') or '(no header)'}"
        )
    for candidate in prediction.candidates[1:4]:
        where = " | ".join(
            join_path(tuple(path), " > ")
            for path in (_row_path(table, candidate.location), _column_path(table, candidate.location))
        )
        print(f"  else    {candidate.text}   {where}")


def _print_json(value: object) -> None:
    print(json.dumps(value, ensure_ascii=False, indent=2))


if __name__ == "__main__":
    sys.exit(main())
