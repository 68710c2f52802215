"""The command line as a person types it: exit codes, sentences, JSON."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import pytest

from qa_core.__main__ import main
from qa_core.command_line import COMMANDS
from qa_core.evaluation.slices import SLICES
from qa_core.prediction import Candidate, Prediction
from qa_core.systems.interface import Request
from qa_core.table import Location
from qa_core.table_format import write_table
from tests.systems.tapas_checkpoint import save_checkpoint
from tests.tables import AMAZON, HEADERS_ONLY


@pytest.fixture
def table(tmp_path: Path) -> str:
    write_table(AMAZON, tmp_path / "table.json")
    return str(tmp_path / "table.json")


@pytest.fixture(autouse=True)
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CROSSHEAD_STORE", f"sqlite:///{tmp_path / 'runs.sqlite'}")
    monkeypatch.delenv("CROSSHEAD_AITQA_DIR", raising=False)


def test_the_folder_of_aitqa_is_named_by_the_environment_where_no_option_names_it(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("CROSSHEAD_AITQA_DIR", "of-the-environment")
    assert main(["evaluate", "--dataset", "aitqa"]) == 2
    assert "There is no folder of-the-environment" in capsys.readouterr().err
    assert main(["evaluate", "--dataset", "aitqa", "--data-dir", "of-the-option"]) == 2
    assert "There is no folder of-the-option" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["ask", "TABLE", " "], "The question is empty"),
        (["ask", "none.json", "x"], "none.json cannot be read: there is no such file"),
        (["ask", ".", "x"], "it is not a file"),
        (["ask", "TABLE", "x", "--table-id", "zz"], "holds no table 'zz'; it holds amazon-segments"),
        (["ask", "TABLE", "x", "--model", "x"], "The system lexical has no model; leave out 'x'"),
        (["ask", "TABLE", "x", "--system", "rci", "--model", "x"], "rci runs a pair of checkpoints"),
        (["ask", "TABLE", "x", "--system", "rci", "--model", "./{row,col}"], "no model folder './row'"),
        (["ask", "TABLE", "x", "--system", "tapas", "--no-lexicon"], "The system tapas uses no lexicon"),
        (["evaluate", "--dataset", "aitqa"], "name it with --data-dir"),
        (["evaluate", "--dataset", "aitqa", "--data-dir", "nowhere"], "There is no folder nowhere"),
        (["evaluate", "--dataset", "brought"], "The dataset brought has no questions"),
        (["evaluate", "--store", "nonsense"], "not named by an SQLAlchemy URL"),
    ],
)
def test_bad_input_is_one_sentence_and_exit_code_2(
    arguments: list[str], said: str, table: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([table if argument == "TABLE" else argument for argument in arguments]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert said in captured.err
    assert captured.err.startswith("crosshead: ") and captured.err.count("\n") == 1


@pytest.mark.parametrize(
    ("system", "model", "said"),
    [
        ("rci", "nobody/no-such-{row,col}", "nobody/no-such-row"),
        ("rci-representation", "nobody/no-such-encoder", "nobody/no-such-encoder"),
        ("blend", "nobody/no-such-encoder", "nobody/no-such-encoder"),
        ("tapas", "nobody/no-such-tapas", "nobody/no-such-tapas"),
    ],
)
def test_a_hub_name_without_a_network_is_one_sentence_within_seconds(
    system: str, model: str, said: str, table: str
) -> None:
    nowhere = {"HF_ENDPOINT": "http://127.0.0.1:9"}
    start = time.monotonic()
    ended = in_a_process("ask", table, "x", "--system", system, "--model", model, env=nowhere)
    assert time.monotonic() - start < 20
    assert (ended.returncode, ended.stdout) == (2, "")
    assert ended.stderr.startswith("crosshead: ") and ended.stderr.count("\n") == 1
    assert f"'{said}' is neither a folder nor could it be fetched" in ended.stderr


@pytest.mark.parametrize(
    "arguments", [["evaluate", "--limit", "0"], ["evaluate", "--system", "gpt"], ["nothing"], []]
)
def test_a_bad_argument_ends_with_2(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    assert ended.value.code == 2
    assert capsys.readouterr().err.startswith("crosshead: ")


def test_ask_prints_the_cell_and_its_paths(table: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["ask", table, "AWS net sales in 2024?", "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["answer"] == "107,556"
    assert answer["cell"] == [2, 1]
    assert answer["row_path"] == ["AWS", "Net sales"]
    assert answer["column_path"] == ["Year Ended December 31,", "2024"]
    assert 0 <= answer["confidence"] <= 1
    assert answer["candidates"][0]["text"] == "107,556"


class Fake:
    """Says what it was told to."""

    name, version, weights = "fake", "1", ""

    def __init__(self, prediction: Prediction) -> None:
        self._prediction = prediction

    def predict(self, requests: Sequence[Request]) -> list[Prediction]:
        return [self._prediction] * len(requests)


def candidates(*places: tuple[int, int]) -> tuple[Candidate, ...]:
    at = (Location(*place) for place in places)
    return tuple(Candidate(place, AMAZON.text_at(place), 1.0) for place in at)


def says(monkeypatch: pytest.MonkeyPatch, prediction: Prediction) -> None:
    monkeypatch.setattr("qa_core.command_line.ask.load_system", lambda *_, **__: Fake(prediction))


SUM = Prediction(
    "147,390",
    (Location(2, 1), Location(3, 1)),
    candidates((2, 1), (3, 1), (0, 1), (1, 1)),
    confidence=0.62,
    operator="SUM",
    notes=("SUM of 2 cells: 107,556; 39,834.",),
)


def test_ask_prints_the_operator_the_value_and_the_cells(
    table: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    says(monkeypatch, SUM)
    assert main(["ask", table, "What do net sales and income of AWS add up to?"]) == 0
    assert capsys.readouterr().out == (
        "note: SUM of 2 cells: 107,556; 39,834.\n"
        "SUM = 147,390   (confidence 0.62)\n"
        "  cell    107,556   AWS > Net sales | Year Ended December 31, > 2024\n"
        "  cell    39,834   AWS > Operating income | Year Ended December 31, > 2024\n"
        "  else    $387,497   North America > Net sales | Year Ended December 31, > 2024\n"
        "  else    24,967   North America > Operating income | Year Ended December 31, > 2024\n"
    )
    assert main(["ask", table, "What do net sales and income of AWS add up to?", "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert (answer["operator"], answer["locations"]) == ("SUM", [[2, 1], [3, 1]])


def test_ask_prints_what_was_considered_before_an_abstention(
    table: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    says(monkeypatch, Prediction("", (), candidates((2, 1), (3, 1), (0, 1), (1, 1)), notes=("No cell.",)))
    assert main(["ask", table, "Who audits?"]) == 0
    assert capsys.readouterr().out == (
        "no answer\n"
        "note: No cell.\n"
        "  maybe   107,556   AWS > Net sales | Year Ended December 31, > 2024\n"
        "  maybe   39,834   AWS > Operating income | Year Ended December 31, > 2024\n"
        "  maybe   $387,497   North America > Net sales | Year Ended December 31, > 2024\n"
    )


def test_of_many_cells_the_first_are_printed(
    table: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    says(monkeypatch, Prediction("1,300", (Location(0, 0),) * 1300, operator="COUNT"))
    assert main(["ask", table, "How many?"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert (len(lines), lines[0], lines[-1]) == (
        12,
        "COUNT = 1,300   (confidence 0.00)",
        "  …       1,290 more cells",
    )


def test_a_model_is_named_by_folder(table: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = save_checkpoint(tmp_path / "tapas", bias=50.0, operator="COUNT")
    assert main(["ask", table, "Which?", "--system", "tapas", "--model", str(folder), "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert (answer["answer"], answer["operator"], len(answer["locations"])) == ("4", "COUNT", 4)


def test_evaluate_says_which_model_it_ran(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = save_checkpoint(tmp_path / "my-tapas")
    assert main(["evaluate", "--system", "tapas", "--model", str(folder), "--limit", "1"]) == 0
    assert capsys.readouterr().out.startswith("tapas · my-tapas@")
    assert main(["evaluate", "--limit", "1"]) == 0
    assert capsys.readouterr().out.startswith("lexical · base · sample, 1 questions")


def test_a_table_without_rows_has_no_answer(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_table(HEADERS_ONLY, tmp_path / "empty.json")
    assert main(["ask", str(tmp_path / "empty.json"), "2018?", "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert (answer["answer"], answer["cell"]) == ("", None)
    assert answer["notes"]


def test_evaluate_prints_every_figure_and_resumes(capsys: pytest.CaptureFixture[str]) -> None:
    command = ["evaluate", "--dataset", "sample", "--system", "lexical", "--limit", "12", "--json"]
    assert main(command) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["n"] == 12
    assert set(report) >= {"dataset", "system", "transformation", "accuracy", "misses", "seconds"}
    assert set(report["accuracy"]) == {"strict", "normalised"}
    assert list(report["slices"]) == list(SLICES)
    assert set(report["paraphrase_sets"]) == {"all", "some", "none"}
    assert main(command) == 0
    captured = capsys.readouterr()
    assert json.loads(captured.out)["run"] == report["run"]
    assert "12 of 12 questions were answered before" in captured.err


@pytest.mark.parametrize(
    "arguments", [["--limit", "9" * 5000], ["--system", "x" * 5000], ["--limit", "x" * 5000], ["x" * 5000]]
)
def test_what_is_echoed_of_a_bad_argument_is_bounded(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        main(["evaluate", *arguments])
    said = capsys.readouterr().err
    assert len(said) < 600
    assert said.endswith("see python -m qa_core --help.\n")


def in_a_process(*arguments: str, **options: object) -> "subprocess.CompletedProcess[str]":
    """The command in a process of its own; ``options`` are those of subprocess.run, ``env`` is added."""
    environment = {**os.environ, **options.pop("env", {})}  # type: ignore[dict-item]
    given = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True, **options}
    return subprocess.run([sys.executable, "-m", "qa_core", *arguments], env=environment, **given)  # type: ignore[call-overload, no-any-return]


def test_an_interrupt_while_the_program_loads_is_a_sentence_and_exit_code_130() -> None:
    process = subprocess.Popen(
        [sys.executable, "-X", "importtime", "-m", "qa_core", "evaluate", "--fresh"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        # A shell that runs tests in the background lets them ignore interrupts.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )
    assert process.stderr
    for line in process.stderr:
        if line.endswith("qa_core.errors\n"):
            process.send_signal(signal.SIGINT)
            break
    output, said = process.communicate()
    said = "".join(line for line in said.splitlines(True) if not line.startswith("import time:"))
    assert (process.returncode, output) == (130, "")
    assert said.strip() == "crosshead: stopped; finished predictions are kept."


@pytest.mark.parametrize("arguments", [["datasets"], ["datasets", "--json"], ["--help"]])
def test_output_that_cannot_be_written_is_a_sentence_and_exit_code_2(arguments: list[str]) -> None:
    with Path("/dev/full").open("w") as full:
        ended = in_a_process(*arguments, stdout=full)
    assert ended.returncode == 2
    assert ended.stderr == (
        "crosshead: The output cannot be written: No space left on device; send it to another place.\n"
    )


def test_a_pipe_that_nobody_reads_ends_in_silence() -> None:
    reader, writer = os.pipe()
    os.close(reader)
    with os.fdopen(writer, "w") as pipe:
        ended = in_a_process("datasets", stdout=pipe)
    assert (ended.returncode, ended.stderr) == (0, "")


def test_an_error_stream_that_is_full_stops_nothing(tmp_path: Path) -> None:
    write_table(AMAZON, tmp_path / "odd.json")
    odd = (tmp_path / "odd.json").read_text(encoding="utf-8").replace('"107,556"', "107556")
    (tmp_path / "odd.json").write_text(odd, encoding="utf-8")
    with Path("/dev/full").open("w") as full:
        ended = in_a_process("ask", str(tmp_path / "odd.json"), "Net sales?", stderr=full)
    assert ended.returncode == 0
    assert "(confidence " in ended.stdout


def test_characters_that_the_output_lacks_are_escaped(table: str) -> None:
    latin = Path(table).read_text(encoding="utf-8").replace("AWS", "Élan")
    Path(table).write_text(latin, encoding="utf-8")
    ascii_only = {"PYTHONIOENCODING": "ascii"}
    ended = in_a_process("ask", table, "Élan net sales in 2024?", env=ascii_only)
    assert (ended.returncode, ended.stderr) == (0, "")
    assert "\\xc9lan > Net sales\n" in ended.stdout
    ended = in_a_process("ask", table, "Élan net sales in 2024?", "--json", env=ascii_only)
    assert "Élan" in str(json.loads(ended.stdout))


def test_a_store_that_goes_away_during_a_run_is_one_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    def delete(done: int, total: int) -> None:
        (tmp_path / "runs.sqlite").unlink(missing_ok=True)

    monkeypatch.setattr("qa_core.command_line.evaluate.Progress", lambda fresh: delete)
    assert main(["evaluate", "--limit", "9"]) == 2
    said = capfd.readouterr().err
    assert said.count("was deleted or replaced") == said.count("\n") == 1


def test_every_command_has_its_help(capsys: pytest.CaptureFixture[str]) -> None:
    for command in COMMANDS:
        with pytest.raises(SystemExit) as ended:
            main([command.name, "--help"])
        assert ended.value.code == 0
        assert "examples:" in capsys.readouterr().out


def test_control_characters_in_a_name_are_shown_and_not_obeyed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["extract", "a\nb\x1b[31m.html"]) == 2
    assert "a\\nb\\x1b[31m.html cannot be read" in capsys.readouterr().err


def test_ask_names_the_entries_of_the_lexicon_unless_it_is_left_out(
    table: str, capsys: pytest.CaptureFixture[str]
) -> None:
    question = "AWS turnover in 2024?"
    assert main(["ask", table, question]) == 0
    assert "  lexicon turnover = Net sales   (revenue)\n" in capsys.readouterr().out
    assert main(["ask", table, question, "--json"]) == 0
    entries = json.loads(capsys.readouterr().out)["lexicon"]
    assert entries == [{"entry": "revenue", "asked": "turnover", "found": "Net sales"}]
    assert main(["ask", table, question, "--no-lexicon"]) == 0
    assert "lexicon" not in capsys.readouterr().out


def test_an_evaluation_without_the_lexicon_is_a_run_of_its_own(capsys: pytest.CaptureFixture[str]) -> None:
    runs = set()
    for option in ([], ["--no-lexicon"]):
        assert main(["evaluate", "--limit", "2", "--json", *option]) == 0
        report = json.loads(capsys.readouterr().out)
        runs.add((report["system"], report["run"]))
    assert {system for system, _ in runs} == {"lexical", "lexical (no lexicon)"}
    assert len(runs) == 2


def test_an_evaluation_without_the_header_hierarchy_is_a_run_of_its_own(
    capsys: pytest.CaptureFixture[str],
) -> None:
    reports = []
    for option in ([], ["--leaves-only"]):
        assert main(["evaluate", "--limit", "2", "--json", *option]) == 0
        reports.append(json.loads(capsys.readouterr().out))
    assert [report["dataset"] for report in reports] == ["sample", "sample, leaves only"]
    assert reports[0]["run"] != reports[1]["run"]
    assert main(["evaluate", "--limit", "2", "--leaves-only"]) == 0
    captured = capsys.readouterr()
    assert captured.out.startswith("lexical · base · sample, leaves only, 2 questions")
    assert "2 of 2 questions were answered before" in captured.err
