"""The command `record`, run as people run it."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.core.management import CommandError, call_command

from tests.platform.conftest import play_on

PLIES = ["e10,e11,e12", "j5,j6", "d13"]


def record_with(*plies: str, **more: Any) -> dict[str, Any]:
    return {"format": "tessera/1", "game": "blokus", "variant": "duo-2", "plies": list(plies), **more}


GOOD = record_with(*PLIES)


@pytest.fixture
def run(monkeypatch, capsys):
    """`run("check", file, stdin=b"…")`: the exit code, and the lines of both outputs."""

    def call(*words: object, stdin: bytes = b"") -> tuple[int, list[str], list[str]]:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        code = 0
        try:
            call_command("record", *map(str, words))
        except SystemExit as end:
            code = int(end.code or 0)
        except CommandError as reason:
            code = 1
            print(reason, file=sys.stderr)
        written = capsys.readouterr()
        return code, written.out.splitlines(), written.err.splitlines()

    return call


@pytest.fixture
def file(tmp_path):
    """Writes values as JSON lines, a text or bytes as they are; the path."""

    def write(*values: Any, name: str = "matches.jsonl") -> Path:
        path = tmp_path / name
        if len(values) == 1 and isinstance(values[0], bytes):
            path.write_bytes(values[0])
        else:
            path.write_text("\n".join(value if isinstance(value, str) else json.dumps(value) for value in values))
        return path

    return write


def test_a_sound_record_is_passed_in_silence(run, file):
    assert run("check", file(GOOD)) == (0, [], [])


def test_legal_counts_come_as_a_line_per_record(run, file):
    code, out, err = run("check", "--legal", file(GOOD, GOOD))
    lines = [json.loads(line) for line in out]
    assert (code, err) == (0, [])
    assert [line["index"] for line in lines] == [0, 1]
    assert [len(line["legal"]) for line in lines] == [3, 3]
    assert out[0] == json.dumps(lines[0])


def test_before_a_chance_ply_the_count_is_null(run, file):
    cards = {"format": "tessera/1", "game": "cards", "variant": "cards-2", "plies": ["=1.2/3.4", "1", "=5", "3"]}
    assert run("check", "--legal", file(cards)) == (0, ['{"index": 0, "legal": [null, 2, null, 2]}'], [])


def test_a_bad_ply_is_named_by_file_record_ply_and_reason_and_the_others_are_still_looked_at(run, file):
    path = file(GOOD, record_with(*PLIES[:2], "a1"), record_with("j9"), GOOD)
    code, out, err = run("check", "--legal", path)
    assert code == 1
    assert [line.split(": ")[0] for line in err] == [f"{path}:1:3", f"{path}:2:1"]
    assert all(len(line.split(": ", 1)[1]) > 20 for line in err)
    assert [len(json.loads(line)["legal"]) for line in out] == [3, 3, 1, 3]


def test_a_false_result_is_a_fault_of_the_whole_record(run, file):
    path = file(record_with(*PLIES, result={"scores": [0, 0], "ranks": [1, 1], "reason": "resigned"}))
    code, _, err = run("check", path)
    assert code == 1
    assert err[0].startswith(f"{path}:0:-: ")


def test_a_line_that_is_no_record_does_not_hide_the_others(run, file):
    path = file(GOOD, '{"format": "tessera/1", "game":', {"format": "other"}, GOOD)
    code, out, err = run("check", "--legal", path)
    assert code == 1
    assert [line.rpartition(":-:")[0] for line in err] == [f"{path}:1", f"{path}:2"]
    assert [len(json.loads(line)["legal"]) for line in out] == [3, 0, 0, 3]


@pytest.mark.parametrize(
    "content",
    [b"", b"  \n", b"nonsense", b"{", b"[[[[", b"[" * 100_000, b"\x00\xff\xfe", b"\x89PNG\r\n\x1a\n", b"null", b"12", b'"text"', b"[1,2]",
     b"{}", b'{"format":"tessera/1","game":"blokus","variant":"duo-2","plies":' + b"9" * 5000 + b"}"],
)  # fmt: skip
def test_what_is_no_record_at_all_gets_a_sentence(run, file, content):
    path = file(content)
    code, out, err = run("check", path)
    assert (code, out) == (1, [])
    assert err
    assert all(line.startswith(str(path)) and "Traceback" not in line for line in err)


def test_a_file_that_cannot_be_read_gets_a_sentence_and_the_next_is_checked(run, file, tmp_path):
    bad = file(record_with("a1"), name="bad.json")
    code, _, err = run("check", tmp_path, tmp_path / "missing.json", "nul\x00byte", bad)
    assert code == 1
    assert len(err) == 4
    assert err[0] == f"{tmp_path} cannot be read: Is a directory."
    assert err[1] == f"{tmp_path / 'missing.json'} cannot be read: No such file or directory."
    assert err[3].startswith(f"{bad}:0:1: ")


def test_an_array_and_a_byte_order_mark_are_read_too(run, file):
    assert run("check", file(b"\xef\xbb\xbf" + json.dumps([GOOD, GOOD], indent=1).encode())) == (0, [], [])


def test_a_dash_is_standard_input(run):
    assert run("check", "-", stdin=json.dumps(GOOD).encode()) == (0, [], [])
    code, _, err = run("check", "-", stdin=json.dumps(record_with("a1")).encode())
    assert code == 1
    assert err[0].startswith("standard input:0:1: ")


def test_legal_lists_the_moves_of_a_position_in_their_own_spelling(run, file):
    path = file(GOOD)
    code, out, err = run("legal", path, "--ply", 0)
    counted = json.loads(run("check", "--legal", path)[1][0])["legal"]
    assert (code, err) == (0, [])
    assert "e10,e11,e12" in out
    assert len(out) == len(set(out)) == counted[0]
    for ply in (1, 2):
        assert len(run("legal", path, "--ply", ply)[1]) == counted[ply]
    assert run("legal", path) == run("legal", path, "--ply", 3)
    assert run("check", file(record_with(*PLIES, run("legal", path)[1][0]))) == (0, [], [])


def test_legal_takes_the_record_by_its_index(run, file):
    other = record_with("e10")
    both, alone = file(GOOD, other), file(other, name="alone.json")
    assert run("legal", both, "--index", 1) == run("legal", alone)
    assert run("legal", both, "--index", 1) != run("legal", both)


def test_legal_says_why_there_is_no_such_position(run, file, tmp_path):
    path = file(GOOD, '{"format"', record_with("a1"))
    for words in (
        (path, "--ply", 4), (path, "--ply", -1), (path, "--index", 3), (path, "--index", 1), (path, "--index", 2), (tmp_path,),
    ):  # fmt: skip
        code, out, err = run("legal", *words)
        assert (code, out, len(err)) == (1, [], 1)


@pytest.mark.django_db
def test_export_writes_what_check_passes(run, file, cast, table):
    match = play_on(table("cards-2", cast.alice, cast.bob))
    code, out, err = run("export", match.pk)
    assert (code, len(out), err) == (0, 1, [])
    assert json.loads(out[0])["secret"]
    assert run("check", file(out[0])) == (0, [], [])


@pytest.mark.django_db
def test_export_keeps_a_running_matchs_secrets(run, cast, table):
    match = play_on(table("cards-2", cast.alice, cast.bob), 1)
    exported = json.loads(run("export", match.pk)[1][0])
    assert exported["plies"][0] == "=?"
    assert not {"secret", "result"} & set(exported)
    assert run("export", 10**9)[2] == ["There is no match 1000000000."]


# --- Other formats

SGF = "(;GM[Blokus Duo];B[e10,e11,e12];W[j5,j6];B[d13])(;GM[Nexos])(;GM[Blokus Duo];B[e10];B[d11])"


def test_files_of_another_program_are_checked_like_records(run, file):
    path = file(SGF, name="a.blksgf")
    assert run("check", path) == (
        1,
        [],
        [
            f"{path}:1:-: This is a match of Nexos, which is not played here.",
            f"{path}:2:2: Green is to place here, but the file has a piece of Blue.",
        ],
    )
    assert run("legal", path, "--ply", "3") == run("legal", file(GOOD), "--ply", "3")


def test_records_are_converted_as_far_as_a_format_can_express_them(run, file):
    code, out, err = run("convert", file(SGF, name="a.blksgf"))
    assert (code, [json.loads(line)["plies"] for line in out], len(err)) == (1, [PLIES], 2)
    azul = GOOD | {"game": "azul", "variant": "coloured-2", "plies": []}
    code, out, err = run("convert", "--format", "blksgf", file(GOOD, azul, GOOD))
    assert (code, out.count("(")) == (1, 2)
    assert [line.rpartition(":1:-: ")[2] for line in err] == ["“blksgf” cannot express azul coloured-2."]
    assert run("convert", file("\n".join(out), name="b.blksgf"))[1][0] == json.dumps(GOOD)


@pytest.mark.django_db
def test_a_match_that_is_over_is_exported_for_another_program(run, file, cast, table):
    match = play_on(table("duo-2", cast.alice, cast.bob), 3)
    assert run("export", match.pk, "--format", "blksgf") == (1, [], ["A running match goes out as a record of our own only."])
    match = play_on(match)
    out = run("export", match.pk, "--format", "blksgf")[1]
    back = json.loads(run("convert", file("\n".join(out), name="a.blksgf"))[1][0])
    assert back["plies"] == list(match.moves.values_list("text", flat=True))
    assert back["date"] == match.finished_at.date().isoformat()


@pytest.mark.long
def test_the_command_itself_needs_no_servers_and_ends_with_its_code(file, tmp_path):
    env = {"TESSERA_VAR": str(tmp_path / "var"), "DATABASE_URL": "postgres://nobody@127.0.0.1:1/none", "REDIS_URL": "redis://127.0.0.1:1"}

    def manage(*words: object, stdin: str = "") -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "manage.py", "record", *map(str, words)]
        return subprocess.run(command, cwd=settings.BASE_DIR, env=env, input=stdin, capture_output=True, text=True)

    good = manage("check", "--legal", "-", stdin=json.dumps(GOOD))
    assert (good.returncode, good.stderr) == (0, "")
    assert json.loads(good.stdout)["index"] == 0
    bad = manage("check", file(record_with("a1")))
    assert bad.returncode == 1
    assert "Traceback" not in bad.stderr
    assert manage("check").returncode == 2
    unreachable = manage("export", 1)
    assert unreachable.returncode == 1
    assert "Traceback" not in unreachable.stderr
    shell = f"{sys.executable} manage.py record legal - --ply 0 | head -1"
    piped = subprocess.run(
        shell,
        shell=True,
        cwd=settings.BASE_DIR,
        env=env | {"PATH": "/usr/bin:/bin"},
        input=json.dumps(GOOD),
        capture_output=True,
        text=True,
    )
    assert len(piped.stdout.splitlines()) == 1
    assert piped.stderr == ""
