"""What asking models costs: 1,000 calls of a slow server, beside bare clients.

    python benchmarks/model_throughput.py [--base-url URL] [--calls 1000] [--in-flight 50,200]
                                          [--rounds 3] [--json]

Wall time, CPU time a call and peak memory of judgments by the public API (prompt, fence, client and
classifier), of our client alone, of bare aiohttp and of the bare official SDK, each in a process of
its own, round by round, so that what else the machine does hits them all; then the rate at which a
cache answers the same judgments, and a jury of three judges beside as many bare calls.
Without `--base-url` the fake server of the side-by-side harness is started, which answers after
100 ms.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import resource
import subprocess
import sys
import time
from collections.abc import AsyncGenerator, Awaitable, Callable, Generator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import asdict, dataclass, replace
from importlib import import_module
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from urllib.error import URLError
from urllib.request import urlopen

from agent_judge import JudgmentContext, Jury, aevaluate
from agent_judge.llm import ModelBackedJudge, ScoreClassifier
from agent_judge.models import (
    CachedModel,
    JudgeModel,
    Message,
    ModelOptions,
    ModelRequest,
    OpenAIModel,
)

SERVER = Path(__file__).resolve().parents[2] / "shared" / "bench" / "fake_openai.py"

KEY = "sk-none"

PROMPT = "Does the answer state what is expected? Answer with a score and a reason.\n\n{}"

Ask = Callable[[int], Awaitable[str]]


@dataclass(frozen=True)
class Measure:
    """One run of one client.

    Attributes:
        client: Which.
        in_flight: Calls at once.
        wall: Seconds in all.
        cpu: Seconds of CPU in all.
        peak: Peak of the resident memory, in MB.
    """

    client: str
    in_flight: int
    wall: float
    cpu: float
    peak: float


def question(number: int) -> str:
    """The text of a call; each is another."""
    return PROMPT.format(f"Expected: {number}. Answer: the value is {number}.")


@asynccontextmanager
async def bare_aiohttp(url: str, in_flight: int) -> AsyncGenerator[Ask, None]:
    """The client alone, as one would write it by hand."""
    import aiohttp

    connector = aiohttp.TCPConnector(limit=in_flight)
    places = asyncio.Semaphore(in_flight)
    async with aiohttp.ClientSession(connector=connector) as session:

        async def ask(number: int) -> str:
            body = {
                "model": "m",
                "temperature": 0,
                "messages": [{"role": "user", "content": question(number)}],
            }
            async with places, session.post(f"{url}/chat/completions", json=body) as reply:
                answer = await reply.json()
                return str(answer["choices"][0]["message"]["content"])

        yield ask


@asynccontextmanager
async def bare_sdk(url: str, in_flight: int) -> AsyncGenerator[Ask, None]:
    """The official SDK alone."""
    from openai import AsyncOpenAI

    places = asyncio.Semaphore(in_flight)
    async with AsyncOpenAI(api_key=KEY, base_url=url) as client:

        async def ask(number: int) -> str:
            async with places:
                answer = await client.chat.completions.create(
                    model="m",
                    temperature=0,
                    messages=[{"role": "user", "content": question(number)}],
                )
                return str(answer.choices[0].message.content)

        yield ask


@asynccontextmanager
async def this_library(url: str, in_flight: int) -> AsyncGenerator[Ask, None]:
    """Our client, with retries, a deadline and its adaptive limit."""
    import_module("aiohttp")  # else the first call would, while the clock runs
    options = ModelOptions(temperature=0)
    async with OpenAIModel("m", base_url=url, api_key=KEY, concurrency=in_flight) as model:

        async def ask(number: int) -> str:
            request = ModelRequest([Message.user(question(number))], options)
            return (await model(request)).text

        yield ask


def a_judge(model: JudgeModel, aspect: str = "what is expected") -> ModelBackedJudge:
    """A judge that asks as much as the bare clients do."""
    return ModelBackedJudge(
        f"Does the answer state {aspect}? Answer with a score and a reason.\n\n"
        "Expected: {{expected}}. Answer: {{output}}",
        model,
        ScoreClassifier(0.5),
        options=ModelOptions(temperature=0),
    )


def case(number: int) -> JudgmentContext:
    """A run to judge; each is another."""
    return JudgmentContext(output=f"the value is {number}.", expected=str(number))


@asynccontextmanager
async def judgments(url: str, in_flight: int) -> AsyncGenerator[Ask, None]:
    """Judgments of one judge."""
    import_module("aiohttp")
    async with OpenAIModel("m", base_url=url, api_key=KEY, concurrency=in_flight) as model:
        judge = a_judge(model)

        async def ask(number: int) -> str:
            return (await aevaluate(judge, case(number))).status.name

        yield ask


@asynccontextmanager
async def cached_judgments(url: str, in_flight: int) -> AsyncGenerator[Ask, None]:
    """Judgments of one judge whose model's replies are all kept already."""
    with TemporaryDirectory() as folder:
        model = OpenAIModel("m", base_url=url, api_key=KEY, concurrency=in_flight)
        async with CachedModel(model, Path(folder) / "replies.sqlite") as cached:
            judge = a_judge(cached)

            async def ask(number: int) -> str:
                return (await aevaluate(judge, case(number % 1000))).status.name

            await asyncio.gather(*map(ask, range(1000)))
            yield ask


@asynccontextmanager
async def jury_votes(url: str, in_flight: int) -> AsyncGenerator[Ask, None]:
    """Votes of three judges with three prompts, as many at once as make so many calls."""
    import_module("aiohttp")
    places = asyncio.Semaphore(in_flight)
    async with OpenAIModel("m", base_url=url, api_key=KEY, concurrency=in_flight) as model:
        jury = Jury([a_judge(model, aspect) for aspect in ("the facts", "all of it", "no more")])

        async def ask(number: int) -> str:
            async with places:
                return (await jury.avote(case(number))).status.name

        yield ask


CLIENTS = {
    "aiohttp": bare_aiohttp,
    "openai SDK": bare_sdk,
    "the client": this_library,
    "judgments": judgments,
    "cached judgments": cached_judgments,
    "jury votes": jury_votes,
}
SIDE_BY_SIDE = ("aiohttp", "openai SDK", "the client", "judgments")
JURY = (50, 200, 3)
"""Calls in flight, cases and judges of the comparison of a jury."""


async def measure(client: str, url: str, calls: int, in_flight: int) -> Measure:
    """Ask all questions at once; connecting counts, importing does not."""
    async with CLIENTS[client](url, in_flight) as ask:
        began, used = time.perf_counter(), time.process_time()
        answers = await asyncio.gather(*map(ask, range(calls)))
        wall, cpu = time.perf_counter() - began, time.process_time() - used
    assert len(answers) == calls
    assert all(answers)
    assert not {*answers} & {"FAIL", "ERROR", "ABSTAIN"}
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return Measure(client, in_flight, wall, cpu, peak)


def measure_apart(client: str, url: str, calls: int, in_flight: int) -> Measure:
    """Measure in a process of its own."""
    worker = [sys.executable, __file__, "--worker", client, "--base-url", url]
    worker += ["--calls", str(calls), "--in-flight", str(in_flight)]
    finished = subprocess.run(worker, check=True, capture_output=True, text=True)
    return Measure(**json.loads(finished.stdout))


@contextmanager
def server(base_url: str | None) -> Generator[str, None, None]:
    """The address of the server; the fake one is started unless there is another."""
    if base_url is not None:
        yield base_url
        return
    if not SERVER.exists():
        raise SystemExit(f"{SERVER} is not there; give the address of a server as --base-url")
    port = str(20_000 + os.getpid() % 20_000)
    process = subprocess.Popen(
        [sys.executable, str(SERVER), "--port", port, "--latency-ms", "100"],
        stdout=subprocess.DEVNULL,
    )
    try:
        wait_for(f"http://127.0.0.1:{port}/stats")
        yield f"http://127.0.0.1:{port}/raw/v1"
    finally:
        process.terminate()
        process.wait()


def wait_for(url: str) -> None:
    """Wait until a server answers."""
    for _ in range(100):
        try:
            urlopen(url).close()
        except URLError:
            time.sleep(0.05)
        else:
            return
    raise SystemExit(f"no answer from {url}")


def middle(measures: list[Measure], client: str, in_flight: int) -> Measure:
    """The medians of a client's runs."""
    runs = [run for run in measures if (run.client, run.in_flight) == (client, in_flight)]
    figures = {name: median(getattr(run, name) for run in runs) for name in ("wall", "cpu", "peak")}
    return Measure(client, in_flight, **figures)


def report(measures: list[Measure], calls: int, levels: list[int]) -> None:
    """Print a table, and each target beside what was reached."""
    print("| client | in flight | wall s | CPU ms a call | peak MB |\n|---|---|---|---|---|")
    for level in levels:
        for client in SIDE_BY_SIDE:
            run = middle(measures, client, level)
            cpu = 1000 * run.cpu / calls
            print(f"| {client} | {level} | {run.wall:.2f} | {cpu:.2f} | {run.peak:.0f} |")
    print()
    for level in levels:
        bare, sdk, ours = (
            middle(measures, client, level) for client in ("aiohttp", "openai SDK", "judgments")
        )
        most = 1.2 if level <= 50 else 1.3
        more = 1000 * (ours.cpu - bare.cpu) / calls
        print(f"{level} in flight: wall {ours.wall / bare.wall:.2f} times aiohttp (at most {most})")
        print(f"{level} in flight: {sdk.wall / ours.wall:.1f} times faster than the SDK")
        print(f"{level} in flight: CPU aiohttp {more:+.2f} ms a call (at most +0.3)")
        print(f"{level} in flight: memory aiohttp {ours.peak - bare.peak:+.0f} MB (at most +40)")
    cached = middle(measures, "cached judgments", levels[0])
    print(f"cached: {calls * 10 / cached.wall:,.0f} judgments a second (at least 5,000)")
    votes, bare = middle(measures, "jury votes", -JURY[0]), middle(measures, "aiohttp", -JURY[0])
    times = votes.wall / bare.wall
    print(f"a jury of {JURY[2]} over {JURY[1]} cases: wall {times:.2f} times aiohttp (at most 1.3)")


def main() -> None:
    """Run what the command line asks for."""
    parser = argparse.ArgumentParser(description="What asking models costs.")
    parser.add_argument("--base-url", help="a server that speaks chat completions")
    parser.add_argument("--calls", type=int, default=1000)
    parser.add_argument("--in-flight", default="50,200", help="calls at once, comma-separated")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--json", action="store_true", help="print each run as a JSON line")
    parser.add_argument("--worker", choices=CLIENTS, help=argparse.SUPPRESS)
    options = parser.parse_args()
    levels = [int(level) for level in options.in_flight.split(",")]
    if options.worker:
        run = asyncio.run(measure(options.worker, options.base_url, options.calls, levels[0]))
        print(json.dumps(asdict(run)))
        return
    with server(options.base_url) as url:
        measures = list(measure_all(url, options.calls, levels, options.rounds))
    if options.json:
        for run in measures:
            print(json.dumps(asdict(run)))
    else:
        report(measures, options.calls, levels)


def measure_all(url: str, calls: int, levels: list[int], rounds: int) -> Iterator[Measure]:
    """Every client at every level, in turn, so that the machine is the same to all."""
    for _ in range(rounds):
        for level in levels:
            for client in SIDE_BY_SIDE:
                yield measure_apart(client, url, calls, level)
        yield measure_apart("cached judgments", url, calls * 10, levels[0])
        in_flight, cases, judges = JURY
        for client, asked in (("aiohttp", cases * judges), ("jury votes", cases)):
            run = measure_apart(client, url, asked, in_flight)
            yield replace(run, in_flight=-in_flight)  # apart from the runs of all calls


if __name__ == "__main__":
    main()
