"""Serves pages again that cannot be opened again, for programs that open an address."""

import contextlib
import http.client
import http.server
import threading

# What a replayed page does not have of its first answer.
OF_THE_CONNECTION = {"connection", "content-encoding", "content-length", "keep-alive", "set-cookie", "transfer-encoding", "vary"}


class Replay:
    """Serves pages again, as the service sent them, which answered a form or had another status than 200; everything else
    comes from the service."""

    def __init__(self, service, cookie):
        pages = self.pages = []

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self):
                number = self.path.removeprefix("/replayed-")
                if number.isdecimal() and int(number) < len(pages):
                    return self.answer(200, *pages[int(number)])
                connection = http.client.HTTPConnection("127.0.0.1", service, timeout=20)
                with contextlib.closing(connection):
                    connection.request(self.command, self.path, headers={"Cookie": cookie, "Accept": self.headers.get("Accept", "*/*")})
                    found = connection.getresponse()
                    return self.answer(found.status, dict(found.getheaders()), found.read())

            do_HEAD = do_GET

            def answer(self, status, headers, body):
                self.send_response_only(status)
                for name, value in headers.items():
                    if name.lower() not in OF_THE_CONNECTION:
                        self.send_header(name, value)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                if self.command == "GET":
                    self.wfile.write(body)

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.port = self.server.server_address[1]

    def add(self, headers, source):
        """The address of a page."""
        self.pages.append((headers, source.encode()))
        return f"http://127.0.0.1:{self.port}/replayed-{len(self.pages) - 1}"

    def __enter__(self):
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()
