"""The official Python client of Anthropic, through the gateway."""

import unittest

import anthropic

import fleet


def client():
    return anthropic.Anthropic(base_url=fleet.GATEWAY, api_key="none", max_retries=0, timeout=30)


def user(text):
    return [{"role": "user", "content": text}]


class Messages(fleet.GatewayTest):
    def test_plain(self):
        answer = client().messages.create(model=fleet.MODEL, max_tokens=16, messages=user("Hello"))
        self.assertEqual(answer.role, "assistant")
        self.assertTrue(answer.content[0].text)
        self.assertGreater(answer.usage.input_tokens, 0)
        self.assertLessEqual(answer.usage.output_tokens, 16)

    def test_a_stream_says_what_a_plain_answer_says(self):
        asked = {"model": fleet.MODEL, "max_tokens": 24, "messages": user("Tell me a story")}
        plain = client().messages.create(**asked)
        with client().messages.stream(**asked) as stream:
            text = "".join(stream.text_stream)
            final = stream.get_final_message()
        self.assertEqual(text, plain.content[0].text)
        self.assertEqual(final.usage.output_tokens, plain.usage.output_tokens)
        self.assertEqual(final.stop_reason, plain.stop_reason)

    def test_tools_round_trip(self):
        tools = [{"name": "get_weather", "input_schema": fleet.WEATHER}]
        messages = user("Weather?")
        first = client().messages.create(
            model=fleet.MODEL, max_tokens=200, messages=messages, tools=tools, tool_choice={"type": "any"}
        )
        self.assertEqual(first.stop_reason, "tool_use")
        (use,) = [block for block in first.content if block.type == "tool_use"]
        self.assertEqual({key: type(value) for key, value in use.input.items()}, {"city": str, "days": int})
        messages += [
            {"role": "assistant", "content": first.content},
            {"role": "user", "content": [{"type": "tool_result", "tool_use_id": use.id, "content": "Sunny"}]},
        ]
        second = client().messages.create(model=fleet.MODEL, max_tokens=20, messages=messages, tools=tools)
        self.assertTrue(second.content)

    def test_abort_in_mid_stream(self):
        with client().messages.stream(
            model=fleet.MODEL, max_tokens=fleet.LONG_ANSWER_TOKENS, messages=user("Go on and on"),
            extra_body={"ignore_eos": True},
        ) as stream:
            for _, _ in zip(range(5), stream):
                pass
            self.assert_busy_soon()
        self.assert_idle_soon()

    def test_errors_have_their_types(self):
        with self.assertRaises(anthropic.NotFoundError):
            client().messages.create(model="no-such-model", max_tokens=4, messages=user("x"))
        with self.assertRaises(anthropic.BadRequestError) as caught:
            client().messages.create(model=fleet.MODEL, max_tokens=4, messages="not a list")
        self.assertIn("messages", caught.exception.message)
        with self.assertRaises(anthropic.RateLimitError):
            client().messages.create(
                model=fleet.MODEL, max_tokens=4, messages=user("x"), extra_headers={"x-sim-fault": "status=429"}
            )


if __name__ == "__main__":
    unittest.main()
