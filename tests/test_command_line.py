"""The command line as a person types it: exit codes, sentences, JSON."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from qa_core.__main__ import main
from qa_core.command_line import COMMANDS
from qa_core.evaluation.slices import SLICES
from qa_core.table_format import write_table
from tests.tables import AMAZON, HEADERS_ONLY


@pytest.fixture
def table(tmp_path: Path) -> str:
    write_table(AMAZON, tmp_path / "table.json")
    return str(tmp_path / "table.json")


@pytest.fixture(autouse=True)
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CROSSHEAD_STORE", f"sqlite:///{tmp_path / 'runs.sqlite'}")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["ask", "TABLE", " "], "The question is empty"),
        (["ask", "none.json", "x"], "none.json cannot be read: there is no such file"),
        (["ask", ".", "x"], "it is not a file"),
        (["ask", "TABLE", "x", "--table-id", "zz"], "holds no table 'zz'; it holds amazon-segments"),
        (["ask", "TABLE", "x", "--system", "rci", "--encoder", "no-such-folder/x"], "no-such-folder/x"),
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

    monkeypatch.setattr("qa_core.command_line.evaluate._Progress", lambda fresh: delete)
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
