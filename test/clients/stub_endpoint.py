#!/usr/bin/env python3
"""A model server that answers as the name of the requested model says; prints its URL and serves until ended.

    status-NNN   answers with that status and an error in OpenAI's shape
    cut          streams two chunks and closes without the end of the stream
"""

import json
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


def chunk(text):
    delta = {"index": 0, "delta": {"content": text}, "finish_reason": None}
    return {"id": "stub", "object": "chat.completion.chunk", "created": 1, "model": "cut", "choices": [delta]}


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        if self.path == "/v1/models":
            self.answer(200, {"object": "list", "data": [{"id": "stub", "object": "model"}]})
        else:
            self.answer(200, {})

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        model = body["model"]
        if model == "cut":
            self.cut()
        elif model.startswith("status-"):
            status = int(model[len("status-"):])
            self.answer(status, {"error": {"message": f"stub says {status}", "type": "stub", "param": "p", "code": "c"}})

    def answer(self, status, body):
        data = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        if status == 429:
            self.send_header("Retry-After", "7")
        self.end_headers()
        self.wfile.write(data)

    def cut(self):
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        for text in ("one", "two"):
            data = f"data: {json.dumps(chunk(text))}\n\n".encode()
            self.wfile.write(b"%x\r\n%s\r\n" % (len(data), data))
        self.wfile.flush()
        self.close_connection = True

    def log_message(self, *_):
        pass


def main():
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    print(f"listening on http://127.0.0.1:{server.server_port}", flush=True)
    server.serve_forever()


if __name__ == "__main__":
    main()
