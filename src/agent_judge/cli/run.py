"""`agent-judge run`: judge runs, show the verdicts, and end with a code that says how it went."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from fnmatch import fnmatchcase
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal, cast

import typer

from agent_judge.cli.terminal import (
    emit,
    emit_document,
    errors_explained,
    fail,
    has_color,
    width,
)

if TYPE_CHECKING:
    from agent_judge.runs import StoredRun


def run(
    runs: Annotated[
        list[Path] | None,
        typer.Argument(help="Files with runs: JSON, a JSON list, or JSON Lines; - for stdin."),
    ] = None,
    config: Annotated[
        Path | None, typer.Option("-c", "--config", help="Configuration; else the nearest one.")
    ] = None,
    jury: Annotated[
        str | None, typer.Option("--jury", help="Which of the configured juries, by its name.")
    ] = None,
    workspace: Annotated[
        list[Path] | None,
        typer.Option("-w", "--workspace", help="Folder to judge; may be given several times."),
    ] = None,
    output: Annotated[
        list[Path] | None,
        typer.Option(
            "-o", "--output", help="Report to write: .json .jsonl .xml .md .sarif; repeatable."
        ),
    ] = None,
    format: Annotated[  # noqa: A002 - the option's name
        Literal["table", "json", "jsonl", "junit", "markdown", "sarif"],
        typer.Option("--format", help="What to print."),
    ] = "table",
    concurrency: Annotated[
        int, typer.Option("-j", "--concurrency", min=1, help="Runs judged at once.")
    ] = 4,
    limit: Annotated[int | None, typer.Option(min=1, help="Judge only the first ones.")] = None,
    filter: Annotated[  # noqa: A002 - the option's name
        str | None, typer.Option("--filter", help="Judge only runs whose id or tag matches.")
    ] = None,
    timeout: Annotated[
        float | None, typer.Option(help="Seconds for each run, instead of the configured ones.")
    ] = None,
    model: Annotated[
        str | None,
        typer.Option(help="Model of the judges that name none, as provider:model."),
    ] = None,
    base_url: Annotated[
        str | None, typer.Option("--base-url", help="Address of that model's server.")
    ] = None,
    record: Annotated[
        Path | None, typer.Option(help="Cassette to write what models are asked and answer to.")
    ] = None,
    replay: Annotated[
        Path | None, typer.Option(help="Cassette that answers instead of the models.")
    ] = None,
    no_cache: Annotated[
        bool, typer.Option("--no-cache", help="Ask again what was answered before.")
    ] = False,
    max_cost: Annotated[
        float | None, typer.Option("--max-cost", help="US dollars that models may spend.")
    ] = None,
    quiet: Annotated[bool, typer.Option("-q", "--quiet", help="Print nothing but errors.")] = False,
    verbose: Annotated[bool, typer.Option("-v", "--verbose", help="Show every check.")] = False,
    no_color: Annotated[bool, typer.Option("--no-color", help="No colours.")] = False,
) -> None:
    """Judge runs or workspaces with the configured jury.

    Ends with 1 if a run failed, else 3 if a judge could not judge, else 4 if something is
    undecided, else 0: all passed. With 2 the call or the configuration is wrong.
    """
    from agent_judge.cli.cache import cache_file
    from agent_judge.cli.judging import judge_runs
    from agent_judge.config import ModelSettings, build, find_configuration, read_configuration
    from agent_judge.report import FORMATS, as_table, check_writable, format_of, write_report

    with errors_explained():
        for path in output or ():
            format_of(path)
            check_writable(path)
        configuration = read_configuration(config or find_configuration(Path.cwd()))
        if record is not None:
            check_writable(record)
        cache = None if no_cache or replay is not None else cache_file()
        models = ModelSettings(model, base_url, record, replay, cache, max_cost)
        chosen_jury = build(configuration, jury, timeout=timeout, models=models)
        chosen = _chosen(runs or (), workspace or (), limit, filter)
        report = judge_runs(chosen_jury, chosen, concurrency=concurrency, quiet=quiet)
        if not quiet and format == "table":
            color = has_color(no_color=no_color)
            emit(as_table(report, width=width(), color=color, every_check=verbose))
        elif not quiet:
            emit_document(FORMATS[format](report))
        for path in output or ():
            write_report(report, path)
    raise typer.Exit(report.exit_code)


def _chosen(
    files: Sequence[Path], workspaces: Sequence[Path], limit: int | None, pattern: str | None
) -> list[StoredRun]:
    found = list(_runs(files, workspaces))
    matching = [run for run in found if pattern is None or _matches(run, pattern)]
    if not matching:
        fail(f"no run matches --filter {pattern}")
    name, count = Counter(run.id for run in matching).most_common(1)[0]
    if count > 1:
        fail(f"two runs have the id {name!r}; ids must differ")
    return matching[:limit]


def _runs(files: Sequence[Path], workspaces: Sequence[Path]) -> Iterator[StoredRun]:
    described = [run for path in files for run in _described(path)]
    if files and not described:
        fail("the files hold no run")
    if described and len(workspaces) == 1 and len(described) == 1:
        context = replace(described[0].context, workspace=_folder(workspaces[0]))
        yield replace(described[0], context=context)
        return
    if described and workspaces:
        fail("one --workspace goes with one run; name the others in the runs themselves")
    yield from described
    folders = list(workspaces) if files or workspaces else [Path()]
    names = Counter(folder.resolve().name for folder in folders)
    yield from (_run_in(folder, alone=names[folder.resolve().name] == 1) for folder in folders)


def _run_in(folder: Path, *, alone: bool) -> StoredRun:
    """The run of a workspace, called by the folder's name, or its path where names repeat."""
    from agent_judge.context import JudgmentContext
    from agent_judge.runs import StoredRun

    place = _folder(folder)
    name = place.resolve().name if alone else place.as_posix()
    return StoredRun(name or "workspace", JudgmentContext(workspace=place))


def _described(path: Path) -> Iterator[StoredRun]:
    from agent_judge.errors import WireError
    from agent_judge.runs import read_run, read_runs

    if str(path) != "-":
        yield from read_runs(path)
        return
    items = _items_of_stdin(sys.stdin.buffer.read())
    for index, item in enumerate(items, 1):
        name = "stdin" if len(items) == 1 else f"stdin-{index}"
        try:
            yield read_run(item, name=name, base=Path.cwd())
        except WireError as fault:
            fail(f"{name}: {fault}")


def _items_of_stdin(raw: bytes) -> list[object]:
    """JSON, or JSON Lines: several lines of which each is an object by itself."""
    from agent_judge.runs import parse_json

    lines = [line.strip() for line in raw.splitlines() if line.strip()]
    if len(lines) > 1 and all(line[:1] + line[-1:] == b"{}" for line in lines):
        return [parse_json(line, f"stdin:{number}") for number, line in enumerate(lines, 1)]
    data: object = parse_json(raw, "stdin")
    return cast("list[object]", data) if isinstance(data, list) else [data]


def _folder(path: Path) -> Path:
    if not path.is_dir():
        fail(f"{path}: is not a folder")
    return path


def _matches(run: StoredRun, pattern: str) -> bool:
    return any(fnmatchcase(word, pattern) for word in (run.id, *run.tags))
