"""The official Python client of OpenAI, through the gateway."""

import asyncio
import json
import unittest

import openai

import fleet


def client(url=fleet.GATEWAY):
    return openai.OpenAI(base_url=f"{url}/v1", api_key="none", max_retries=0, timeout=30)


def user(text):
    return [{"role": "user", "content": text}]


class Chat(fleet.GatewayTest):
    def test_models(self):
        self.assertEqual([model.id for model in client().models.list()], [fleet.MODEL])

    def test_plain(self):
        raw = client().chat.completions.with_raw_response.create(
            model=fleet.MODEL, messages=user("Hello there"), max_tokens=12
        )
        answer = raw.parse()
        self.assertTrue(answer.choices[0].message.content)
        self.assertIn(answer.choices[0].finish_reason, ("stop", "length"))
        self.assertEqual(answer.model, fleet.MODEL)
        self.assertGreater(answer.usage.prompt_tokens, 0)
        self.assertEqual(answer.usage.total_tokens, answer.usage.prompt_tokens + answer.usage.completion_tokens)
        self.assertTrue(raw.headers["x-request-id"])
        self.assertIn(raw.headers["x-warmlane-endpoint"], [e["name"] for e in fleet.endpoints()])

    def test_a_stream_says_what_a_plain_answer_says(self):
        asked = {"model": fleet.MODEL, "messages": user("Tell me a story"), "max_tokens": 40, "seed": 7}
        plain = client().chat.completions.create(**asked)
        chunks = list(client().chat.completions.create(**asked, stream=True, stream_options={"include_usage": True}))
        text = "".join(c.choices[0].delta.content or "" for c in chunks if c.choices)
        self.assertEqual(text, plain.choices[0].message.content)
        self.assertEqual([bool(c.usage) for c in chunks], [False] * (len(chunks) - 1) + [True])
        self.assertEqual(chunks[-1].usage.completion_tokens, plain.usage.completion_tokens)
        self.assertGreater(len(chunks), 10)

    def test_a_conversation_stays_where_its_prefix_is(self):
        messages = user("A conversation about " + fleet.LONG_TEXT)
        names, cached = [], []
        for turn in range(4):
            raw = client().chat.completions.with_raw_response.create(
                model=fleet.MODEL, messages=messages, max_tokens=16
            )
            answer = raw.parse()
            names.append(raw.headers["x-warmlane-endpoint"])
            cached.append(answer.usage.prompt_tokens_details.cached_tokens / answer.usage.prompt_tokens)
            messages += [
                {"role": "assistant", "content": answer.choices[0].message.content},
                {"role": "user", "content": f"And what of point {turn}?"},
            ]
        self.assertEqual(len(set(names)), 1, names)
        self.assertTrue(all(share > 0.9 for share in cached[1:]), cached)

    def test_tools_round_trip(self):
        tools = [{"type": "function", "function": {"name": "get_weather", "parameters": fleet.WEATHER}}]
        messages = user("What will the weather be?")
        first = client().chat.completions.create(
            model=fleet.MODEL, messages=messages, tools=tools, tool_choice="required"
        ).choices[0]
        self.assertEqual(first.finish_reason, "tool_calls")
        (call,) = first.message.tool_calls
        self.assertEqual(call.function.name, "get_weather")
        arguments = json.loads(call.function.arguments)
        self.assertEqual({key: type(value) for key, value in arguments.items()}, {"city": str, "days": int})
        messages += [first.message, {"role": "tool", "tool_call_id": call.id, "content": "Sunny"}]
        second = client().chat.completions.create(model=fleet.MODEL, messages=messages, tools=tools)
        self.assertTrue(second.choices[0].message.content)

    def test_streamed_tool_call(self):
        tools = [{"type": "function", "function": {"name": "get_weather", "parameters": fleet.WEATHER}}]
        with client().chat.completions.stream(
            model=fleet.MODEL, messages=user("Weather?"), tools=tools, tool_choice="required"
        ) as stream:
            (call,) = stream.get_final_completion().choices[0].message.tool_calls
        self.assertEqual(call.function.name, "get_weather")
        self.assertEqual(set(json.loads(call.function.arguments)), {"city", "days"})

    def test_a_body_of_two_megabytes_reaches_the_endpoint(self):
        with self.assertRaises(openai.BadRequestError) as caught:
            client().chat.completions.create(model=fleet.MODEL, messages=user("word " * 400_000))
        self.assertIn("context", caught.exception.message)

    def test_abort_in_mid_stream(self):
        stream = client().chat.completions.create(
            model=fleet.MODEL, messages=user("Go on and on"), max_tokens=fleet.LONG_ANSWER_TOKENS, stream=True,
            extra_body={"ignore_eos": True},
        )
        for _, _ in zip(range(5), stream):
            pass
        self.assert_busy_soon()
        stream.close()
        self.assert_idle_soon()


class OtherApis(fleet.GatewayTest):
    def test_completions(self):
        answer = client().completions.create(model=fleet.MODEL, prompt=["one", "two"], max_tokens=4)
        self.assertEqual([choice.index for choice in answer.choices], [0, 1])

    def test_embeddings(self):
        answer = client().embeddings.create(model=fleet.MODEL, input=["short", "texts"])
        self.assertEqual([item.index for item in answer.data], [0, 1])

    def test_responses_are_found_again(self):
        made = client().responses.create(model=fleet.MODEL, input="Hello", max_output_tokens=16)
        self.assertTrue(made.output_text)
        for _ in range(6):
            self.assertEqual(client().responses.retrieve(made.id).output_text, made.output_text)

    def test_responses_stream(self):
        kinds = [e.type for e in client().responses.create(model=fleet.MODEL, input="Hello", stream=True)]
        self.assertEqual(kinds[0], "response.created")
        self.assertIn("response.output_text.delta", kinds)
        self.assertEqual(kinds[-1], "response.completed")


class Many(fleet.GatewayTest):
    def test_fifty_at_once(self):
        async def one(shared, number):
            raw = await shared.chat.completions.with_raw_response.create(
                model=fleet.MODEL, messages=user(f"Request {number}"), max_tokens=20
            )
            return raw.headers["x-request-id"], raw.headers["x-warmlane-endpoint"], raw.parse()

        async def play():
            async with openai.AsyncOpenAI(
                base_url=f"{fleet.GATEWAY}/v1", api_key="none", max_retries=0, timeout=30
            ) as shared:
                return await asyncio.gather(*(one(shared, number) for number in range(50)))

        answers = asyncio.run(play())
        self.assertEqual(len({request_id for request_id, _, _ in answers}), 50)
        self.assertEqual({endpoint for _, endpoint, _ in answers}, {e["name"] for e in fleet.endpoints()})
        self.assertTrue(all(answer.choices[0].message.content for _, _, answer in answers))
        self.assert_idle_soon()


class Errors(fleet.GatewayTest):
    def raised(self, kind, url=fleet.GATEWAY, **asked):
        with self.assertRaises(kind) as caught:
            client(url).chat.completions.create(**{"messages": user("x"), **asked})
        return caught.exception

    def test_a_request_that_is_no_request(self):
        error = self.raised(openai.BadRequestError, model=fleet.MODEL, messages="not a list")
        self.assertEqual(error.param, "messages")
        self.assertEqual(error.type, "invalid_request_error")

    def test_broken_json(self):
        with self.assertRaises(openai.BadRequestError) as caught:
            client().post("/chat/completions", cast_to=object, content=b'{"model": ')
        self.assertIn("JSON", caught.exception.message)

    def test_a_model_that_nobody_serves(self):
        self.assertEqual(self.raised(openai.NotFoundError, model="no-such-model").status_code, 404)

    def test_what_an_endpoint_answers_arrives_as_it_is(self):
        rows = [
            (400, openai.BadRequestError), (401, openai.AuthenticationError), (404, openai.NotFoundError),
            (422, openai.UnprocessableEntityError), (429, openai.RateLimitError), (500, openai.InternalServerError),
        ]
        for status, kind in rows:
            with self.subTest(status=status):
                fault = {"x-sim-fault": f"status={status}; retry_after=7"}
                error = self.raised(kind, model=fleet.MODEL, extra_headers=fault)
                self.assertEqual(error.status_code, status)
                self.assertEqual(error.body["message"], "This answer is a simulated fault.")
                self.assertEqual(error.response.headers.get("retry-after"), "7" if status == 429 else None)

    def test_a_stream_that_breaks_never_looks_complete(self):
        for cut in ("close", "reset"):
            with self.subTest(cut), self.assertRaises(openai.APIError) as caught:
                chunks = 0
                for _ in client().chat.completions.create(
                    model=fleet.MODEL, messages=user("x"), stream=True, max_tokens=50,
                    extra_headers={"x-sim-fault": f"cut={cut}; cut_events=3"},
                ):
                    chunks += 1
            self.assertEqual(chunks, 3)
            self.assertTrue(caught.exception.message)

    def test_no_endpoint(self):
        error = self.raised(openai.InternalServerError, fleet.EMPTY_GATEWAY, model=fleet.MODEL)
        self.assertIn(error.status_code, (502, 503))
        self.assertEqual(set(error.body), {"message", "type", "param", "code"})


if __name__ == "__main__":
    unittest.main()
