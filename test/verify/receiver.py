"""A receiver as the PyPI library's documentation shows it: 204 for what verifies, 400 with the reason for the rest. SECRET: `whsec_…`."""

import os
import sys
from http.server import BaseHTTPRequestHandler, HTTPServer

from standardwebhooks import Webhook, WebhookVerificationError

webhook = Webhook(os.environ["SECRET"])


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["content-length"]))
        try:
            webhook.verify(body, dict(self.headers))
            status, reason = 204, b""
        except WebhookVerificationError as error:
            status, reason = 400, str(error).encode()
        self.send_response(status)
        self.send_header("content-length", str(len(reason)))
        self.end_headers()
        self.wfile.write(reason)

    def log_message(self, *_):
        pass


server = HTTPServer(("127.0.0.1", 0), Receiver)
print("port", server.server_port)
sys.stdout.flush()
server.serve_forever()
