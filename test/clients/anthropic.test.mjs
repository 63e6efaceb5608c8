// The official Node client of Anthropic, through the gateway.

import assert from "node:assert/strict";
import test from "node:test";

import Anthropic from "@anthropic-ai/sdk";

import {busySoon, gateway, idleSoon, longAnswerTokens, model, user} from "./fleet.mjs";

const client = () => new Anthropic({baseURL: gateway, apiKey: "none", maxRetries: 0, timeout: 30000});

test("plain answer", async () => {
    const answer = await client().messages.create({model, max_tokens: 16, messages: user("Hello")});
    assert.equal(answer.role, "assistant");
    assert.ok(answer.content[0].text);
    assert.ok(answer.usage.input_tokens > 0);
});

test("a stream says what a plain answer says", async () => {
    const asked = {model, max_tokens: 24, messages: user("Tell me a story")};
    const plain = await client().messages.create(asked);
    const final = await client().messages.stream(asked).finalMessage();
    assert.equal(final.content[0].text, plain.content[0].text);
    assert.equal(final.usage.output_tokens, plain.usage.output_tokens);
    assert.equal(final.stop_reason, plain.stop_reason);
});

test("an abort in mid-stream frees the engine", async () => {
    const stream = client().messages.stream({
        model, max_tokens: longAnswerTokens, messages: user("Go on and on"), ignore_eos: true,
    });
    let events = 0;
    for await (const _ of stream) {
        if (++events === 5) {
            await busySoon();
            break;
        }
    }
    assert.equal(events, 5);
    await idleSoon();
});

test("errors have the types of the client", async () => {
    const ask = (asked, options) =>
        client().messages.create({model, max_tokens: 4, messages: user("x"), ...asked}, options);
    await assert.rejects(ask({messages: "not a list"}), Anthropic.BadRequestError);
    await assert.rejects(ask({model: "no-such-model"}), Anthropic.NotFoundError);
    await assert.rejects(ask({}, {headers: {"x-sim-fault": "status=429"}}), Anthropic.RateLimitError);
});
