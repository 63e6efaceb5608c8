// The official Node client of OpenAI, through the gateway.

import assert from "node:assert/strict";
import test from "node:test";

import OpenAI from "openai";

import {busySoon, emptyGateway, gateway, idleSoon, longAnswerTokens, model, user} from "./fleet.mjs";

const client = (url = gateway) => new OpenAI({baseURL: `${url}/v1`, apiKey: "none", maxRetries: 0, timeout: 30000});
const chat = (asked, options) => client().chat.completions.create({model, ...asked}, options);
const fault = (text) => ({headers: {"x-sim-fault": text}});

test("models", async () => {
    const ids = [];
    for await (const entry of client().models.list()) {
        ids.push(entry.id);
    }
    assert.deepEqual(ids, [model]);
});

test("plain answer", async () => {
    const {data, response} = await client().chat.completions
        .create({model, messages: user("Hello there"), max_tokens: 12})
        .withResponse();
    assert.ok(data.choices[0].message.content);
    assert.equal(data.usage.total_tokens, data.usage.prompt_tokens + data.usage.completion_tokens);
    assert.ok(response.headers.get("x-request-id"));
    assert.match(response.headers.get("x-warmlane-endpoint"), /^sim-[123]$/);
});

test("a stream says what a plain answer says, and its usage comes last", async () => {
    const asked = {messages: user("Tell me a story"), max_tokens: 40, seed: 7};
    const plain = await chat(asked);
    const chunks = [];
    for await (const chunk of await chat({...asked, stream: true, stream_options: {include_usage: true}})) {
        chunks.push(chunk);
    }
    const text = chunks.map((chunk) => chunk.choices[0]?.delta.content ?? "").join("");
    assert.equal(text, plain.choices[0].message.content);
    assert.deepEqual(chunks.map((chunk) => Boolean(chunk.usage)), [...Array(chunks.length - 1).fill(false), true]);
    assert.equal(chunks.at(-1).usage.completion_tokens, plain.usage.completion_tokens);
});

test("tools round trip", async () => {
    const parameters = {
        type: "object", properties: {city: {type: "string"}, days: {type: "integer"}}, required: ["city", "days"],
    };
    const tools = [{type: "function", function: {name: "get_weather", parameters}}];
    const messages = user("Weather?");
    const first = await chat({messages, tools, tool_choice: "required"});
    assert.equal(first.choices[0].finish_reason, "tool_calls");
    const [call] = first.choices[0].message.tool_calls;
    assert.equal(call.function.name, "get_weather");
    const {city, days} = JSON.parse(call.function.arguments);
    assert.equal(typeof city, "string");
    assert.ok(Number.isInteger(days));
    const second = await chat({
        messages: [...messages, first.choices[0].message, {role: "tool", tool_call_id: call.id, content: "Sunny"}],
        tools,
    });
    assert.ok(second.choices[0].message.content);
});

test("fifty at once reach every endpoint and get their own answers", async () => {
    const shared = client();
    const answers = await Promise.all(Array.from({length: 50}, (_, number) =>
        shared.chat.completions.create({model, messages: user(`Node request ${number}`), max_tokens: 20}).withResponse()
    ));
    assert.equal(new Set(answers.map(({response}) => response.headers.get("x-request-id"))).size, 50);
    assert.equal(new Set(answers.map(({response}) => response.headers.get("x-warmlane-endpoint"))).size, 3);
    assert.ok(answers.every(({data}) => data.choices[0].message.content));
});

test("an abort in mid-stream frees the engine", async () => {
    const stream = await chat({
        messages: user("Go on and on"), max_tokens: longAnswerTokens, stream: true, ignore_eos: true,
    });
    let chunks = 0;
    for await (const _ of stream) {
        if (++chunks === 5) {
            await busySoon();
            break;
        }
    }
    assert.equal(chunks, 5);
    await idleSoon();
});

test("errors have the types of the client", async () => {
    const rows = [
        [OpenAI.BadRequestError, 400], [OpenAI.AuthenticationError, 401], [OpenAI.NotFoundError, 404],
        [OpenAI.RateLimitError, 429], [OpenAI.InternalServerError, 500],
    ];
    for (const [kind, status] of rows) {
        await assert.rejects(chat({messages: user("x")}, fault(`status=${status}`)), (error) => {
            assert.ok(error instanceof kind, `${status} is ${error.constructor.name}`);
            assert.equal(error.status, status);
            assert.equal(error.error.message, "This answer is a simulated fault.");
            return true;
        });
    }
    await assert.rejects(chat({messages: "not a list"}), (error) => {
        assert.ok(error instanceof OpenAI.BadRequestError);
        assert.equal(error.param, "messages");
        return true;
    });
    await assert.rejects(chat({model: "no-such-model", messages: user("x")}), OpenAI.NotFoundError);
    const nobody = client(emptyGateway).chat.completions.create({model, messages: user("x")});
    await assert.rejects(nobody, OpenAI.InternalServerError);
});

test("a stream that breaks never looks complete", async () => {
    let chunks = 0;
    await assert.rejects(async () => {
        const asked = {messages: user("x"), stream: true, max_tokens: 50};
        for await (const _ of await chat(asked, fault("cut=close; cut_events=3"))) {
            chunks += 1;
        }
    });
    assert.equal(chunks, 3);
});
