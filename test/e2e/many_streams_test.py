"""A thousand streams at once through two workers: all complete and identical, memory per stream bounded, no descriptor left.

usage: many_streams_test.py WARMLANE [STREAMS]
"""

import asyncio
import hashlib
import json
import os
import re
import subprocess
import sys
import time

BYTES_PER_STREAM_MAX = 100 * 1024
TOKENS = 24
TIME_MAX = 120


def start(*arguments):
    return subprocess.Popen(arguments, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)


def port_of(process, mark):
    for line in process.stdout:
        found = re.search(mark + r" http://[^:]+:(\d+)", line)
        if found:
            return int(found.group(1))
    raise SystemExit(f"{mark}: the process ended early")


def resident_bytes(pid):
    with open(f"/proc/{pid}/status") as status:
        return int(re.search(r"VmRSS:\s+(\d+) kB", status.read()).group(1)) * 1024


def descriptors(pid):
    return len(os.listdir(f"/proc/{pid}/fd"))


def request(index):
    body = json.dumps({
        "model": "warmlane-sim",
        "stream": True,
        "max_tokens": TOKENS,
        "messages": [{"role": "user", "content": f"Stream {index % 10}: " + "tell me more. " * 8}],
    })
    head = f"POST /v1/chat/completions HTTP/1.1\r\nHost: t\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
    return (head + body).encode()


async def read_chunked(reader):
    head = await reader.readuntil(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 200"), head
    content = b""
    while True:
        size = int(await reader.readuntil(b"\r\n"), 16)
        content += (await reader.readexactly(size + 2))[:-2]
        if size == 0:
            return content


def what_was_said(content):
    """The words of a stream, without the ids and times that differ from one to the next."""
    events = [line[6:] for line in content.decode().split("\n") if line.startswith("data: ")]
    assert events[-1] == "[DONE]", events[-1]
    words = [json.loads(event)["choices"][0]["delta"].get("content", "") for event in events[:-1]]
    return hashlib.sha256("".join(words).encode()).hexdigest(), len(words)


async def stream(port, index, gate):
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    await gate.wait()
    writer.write(request(index))
    content = await read_chunked(reader)
    writer.close()
    return what_was_said(content)


async def play(gateway, port, streams):
    gate = asyncio.Event()
    tasks = [asyncio.create_task(stream(port, index, gate)) for index in range(streams)]
    await asyncio.sleep(1)
    before = resident_bytes(gateway.pid)
    gate.set()
    peak = before
    while not all(task.done() for task in tasks):
        peak = max(peak, resident_bytes(gateway.pid))
        await asyncio.sleep(0.02)
    return await asyncio.gather(*tasks), before, peak


def main():
    warmlane = sys.argv[1]
    streams = int(sys.argv[2]) if len(sys.argv) > 2 else 1000
    processes = []
    try:
        simulated = [start(warmlane, "sim", "--port", "0", "--running", "512") for _ in range(3)]
        processes += simulated
        endpoints = [f"--endpoint=http://127.0.0.1:{port_of(process, 'listening on')}" for process in simulated]
        gateway = start(warmlane, "--port", "0", "--admin-port", "0", "--threads", "2", "--log-level", "warn", *endpoints)
        processes.append(gateway)
        port = port_of(gateway, "listening on")
        time.sleep(1)
        idle_descriptors = descriptors(gateway.pid)
        idle_memory = resident_bytes(gateway.pid)
        results, _, peak = asyncio.run(asyncio.wait_for(play(gateway, port, streams), TIME_MAX))
        assert len(results) == streams
        by_prompt = {}
        for index, said in enumerate(results):
            by_prompt.setdefault(index % 10, set()).add(said)
        assert all(len(said) == 1 for said in by_prompt.values()), by_prompt
        per_stream = (peak - idle_memory) / streams
        deadline = time.monotonic() + 10
        while descriptors(gateway.pid) > idle_descriptors and time.monotonic() < deadline:
            time.sleep(0.1)
        left = descriptors(gateway.pid) - idle_descriptors
        print(f"{streams} streams complete and identical; {per_stream / 1024:.1f} KiB resident per stream; {max(0, left)} descriptors left")
        assert per_stream < BYTES_PER_STREAM_MAX, per_stream
        assert left <= 0, left
    finally:
        for process in processes:
            process.terminate()
        for process in processes:
            process.wait(10)


main()
