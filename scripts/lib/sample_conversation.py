#!/usr/bin/env python3
"""Plays the same multi-turn conversations through two gateways and prints what was routed where.

sample_conversation.py --warm URL --random URL [--users N] [--turns N]

Two assistants with their own system prompts, each with half of the users; every user brings a document and asks
about it, turn by turn, as a chat client does: the whole conversation is sent again each time. All users of a turn
ask at once.
"""

import argparse
import http.client
import json
import random
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from urllib.parse import urlsplit

WORDS = (
    "the a of to in for on with by from is are was has can will not each one two other same new next last long "
    "short server model token block cache prompt answer request prefix queue batch memory page graph kernel "
    "layer weight user document section table figure result measure number value time second rate share limit "
    "reads writes keeps sends finds holds moves counts waits returns begins ends grows shrinks repeats"
).split()
QUESTIONS = (
    "Summarise the document in three sentences.",
    "Which of its claims has the weakest support, and why?",
    "What would a reader who disagrees say?",
    "List the numbers it gives, with their units.",
    "Write a title and a first paragraph for a wider audience.",
    "What should be measured next?",
)
TIMEOUT_SECONDS = 60


@dataclass(frozen=True)
class Answer:
    endpoint: str
    blocks: str
    prompt_tokens: int
    cached_tokens: int
    first_token_seconds: float
    text: str


class Failure(Exception):
    """An answer that is not the one asked for."""


def prose(seed, length):
    source = random.Random(seed)
    words = []
    while sum(map(len, words)) + len(words) < length:
        words.append(source.choice(WORDS))
    return " ".join(words)


def events(response):
    for line in response:
        if line.startswith(b"data:") and line[5:].strip() != b"[DONE]":
            yield json.loads(line[5:])


def model_of(url):
    connection = http.client.HTTPConnection(urlsplit(url).netloc, timeout=TIMEOUT_SECONDS)
    connection.request("GET", "/v1/models")
    models = json.load(connection.getresponse())["data"]
    connection.close()
    if not models:
        raise Failure(f"{url} serves no model")
    return models[0]["id"]


def ask(url, model, messages):
    """One streamed chat completion."""
    body = {
        "model": model, "messages": messages, "max_tokens": 48,
        "stream": True, "stream_options": {"include_usage": True},
    }
    connection = http.client.HTTPConnection(urlsplit(url).netloc, timeout=TIMEOUT_SECONDS)
    began = time.perf_counter()
    connection.request("POST", "/v1/chat/completions", json.dumps(body), {"Content-Type": "application/json"})
    response = connection.getresponse()
    if response.status != 200:
        raise Failure(f"{url} answered {response.status}: {response.read(500).decode(errors='replace')}")
    first, text, usage = None, [], {}
    for event in events(response):
        usage = event.get("usage") or usage
        piece = event["choices"][0]["delta"].get("content") if event.get("choices") else None
        if piece:
            first = first or time.perf_counter()
            text.append(piece)
    connection.close()
    if first is None or not usage:
        raise Failure(f"{url} ended a stream early")
    return Answer(
        endpoint=response.headers.get("x-warmlane-endpoint", "?"),
        blocks=response.headers.get("x-warmlane-prefix-blocks", "-"),
        prompt_tokens=usage["prompt_tokens"],
        cached_tokens=(usage.get("prompt_tokens_details") or {}).get("cached_tokens") or 0,
        first_token_seconds=first - began,
        text="".join(text),
    )


class User:
    """One person's conversation with one gateway."""

    def __init__(self, number, url, model):
        self.number = number
        self.url = url
        self.model = model
        assistant = number % 2
        system = f"You are assistant {assistant}. " + prose(f"system {assistant}", 4000)
        document = f"Document of user {number}: " + prose(f"document {number}", 6000)
        self.messages = [{"role": "system", "content": system}, {"role": "user", "content": document}]

    def turn(self, number):
        question = QUESTIONS[number % len(QUESTIONS)]
        if number == 0:
            self.messages[-1]["content"] += "\n\n" + question
        else:
            self.messages.append({"role": "user", "content": question})
        answer = ask(self.url, self.model, self.messages)
        self.messages.append({"role": "assistant", "content": answer.text})
        return answer


def milliseconds(seconds):
    return f"{seconds * 1000:.0f} ms"


def print_row(*cells):
    row = "{:>4}  {:>4}   {:<8} {:>7} {:>12} {:>11}   {:<8} {:>12} {:>11}".format(*cells)
    print(row.rstrip(), flush=True)


def print_head():
    print_row("", "", "warmlane", "", "", "", "random", "", "")
    print_row("turn", "user", "endpoint", "blocks", "cached", "first token", "endpoint", "cached", "first token")


def cached(answer):
    return f"{answer.cached_tokens}/{answer.prompt_tokens}"


def play(arguments):
    model = {url: model_of(url) for url in (arguments.warm, arguments.random)}
    users = [
        [User(number, url, model[url]) for url in (arguments.warm, arguments.random)]
        for number in range(1, arguments.users + 1)
    ]
    answers = {arguments.warm: [], arguments.random: []}
    print_head()
    with ThreadPoolExecutor(max_workers=2 * arguments.users) as pool:
        for turn in range(arguments.turns):
            pending = [[pool.submit(user.turn, turn) for user in pair] for pair in users]
            for (user, _), futures in zip(users, pending):
                warm, rand = (future.result() for future in futures)
                answers[arguments.warm].append(warm)
                answers[arguments.random].append(rand)
                print_row(
                    turn + 1, user.number,
                    warm.endpoint, warm.blocks, cached(warm), milliseconds(warm.first_token_seconds),
                    rand.endpoint, cached(rand), milliseconds(rand.first_token_seconds),
                )
            print()
    return answers[arguments.warm], answers[arguments.random]


def share(answers):
    return sum(a.cached_tokens for a in answers) / sum(a.prompt_tokens for a in answers)


def median(values):
    ordered = sorted(values)
    return ordered[len(ordered) // 2]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--warm", required=True, help="the gateway that routes by prefix")
    parser.add_argument("--random", required=True, help="the gateway that picks at random")
    parser.add_argument("--users", type=int, default=6)
    parser.add_argument("--turns", type=int, default=5)
    try:
        warm, rand = play(parser.parse_args())
    except (OSError, Failure, http.client.HTTPException) as error:
        sys.exit(f"sample conversation: {error}")
    firsts = [milliseconds(median([a.first_token_seconds for a in answers])) for answers in (warm, rand)]
    print(f"median time to first token: {firsts[0]} with warmlane, {firsts[1]} with a random pick")
    print(f"prompt tokens from cache: {share(warm):.0%} with warmlane, {share(rand):.0%} with a random pick")


if __name__ == "__main__":
    main()
