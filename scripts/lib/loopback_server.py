"""A server on loopback that withstands browsers: they open many connections at once, and end them during a response."""

import http.server


class Server(http.server.ThreadingHTTPServer):
    request_queue_size = 512
    daemon_threads = True

    def handle_error(self, *_):
        pass
