"""The HTTP server of one hostile site, in a separate process."""

import gzip
import os
import select
import socket
import ssl
import sys
import threading

from hostile.site import Answer, Request

REASONS = {200: "OK", 206: "Partial Content", 301: "Moved Permanently", 302: "Found", 404: "Not Found", 429: "Too Many Requests"}
# Maximum bytes of cached compressed bodies.
KEPT = 256 * 1024 * 1024
# Timeout in seconds for an incomplete request.
PATIENCE = 60


class Server:
    """Serves a listening socket until its process ends."""

    def __init__(self, site, listener, certificate=None):
        self.site = site
        self.listener = listener
        self.port = listener.getsockname()[1]
        self.zipped = {}
        self.kept = 0
        self.context = None
        if site.tls:
            self.context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            self.context.load_cert_chain(certificate)

    def warm(self):
        """Generates the start page in advance, because this may take seconds."""
        request = Request("GET", "/", "", "127.0.0.1", self.port, {})
        answer = self.site.answer(request)
        if answer and answer.gzip:
            self.compressed(request.target, answer.body)

    def serve(self, parent):
        """Serves until the parent process ends."""
        while os.getppid() == parent:
            if not select.select([self.listener], [], [], 1)[0]:
                continue
            connection, peer = self.listener.accept()
            if not peer[0].startswith("127."):
                connection.close()
                continue
            threading.Thread(target=self.converse, args=(connection,), daemon=True).start()

    def converse(self, connection):
        """Serves the requests of one connection."""
        try:
            connection.settimeout(PATIENCE)
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            if self.context:
                connection = self.context.wrap_socket(connection, server_side=True)
            with connection.makefile("rb", 64 * 1024) as reader:
                while self.exchange(connection, reader):
                    pass
        except (OSError, ValueError):
            # The auditor may disconnect at any time.
            pass
        finally:
            connection.close()

    def exchange(self, connection, reader):
        """Responds to one request; returns whether another may follow."""
        line = reader.readline(65536).split()
        if len(line) < 3:
            return False
        headers = {}
        while True:
            field = reader.readline(65536).strip()
            if not field:
                break
            name, _, value = field.partition(b":")
            headers[name.decode("latin-1").lower()] = value.strip().decode("latin-1")
        path, _, query = line[1].decode("latin-1").partition("?")
        method = line[0].decode("latin-1")
        host = headers.get("host", "").rsplit(":", 1)[0]
        request = Request(method, path, query, host, self.port, headers)
        answer = self.site.answer(request)
        if answer is None:
            answer = Answer(b"<!doctype html><title>Not found</title><p>There is nothing here.", 404)
        return self.send(connection, request, answer)

    def send(self, connection, request, answer):
        if answer.raw:
            for piece in answer.body:
                connection.sendall(piece)
            return False
        fields = list(answer.headers)
        body = answer.body
        if answer.gzip and "gzip" in request.headers.get("accept-encoding", ""):
            body = self.compressed(request.target, body)
            fields.append(("Content-Encoding", "gzip"))
        whole = isinstance(body, bytes)
        fields.append(("Content-Length", str(len(body))) if whole else ("Connection", "close"))
        head = f"HTTP/1.1 {answer.status} {REASONS.get(answer.status, 'Answer')}\r\n"
        head += "".join(f"{name}: {value}\r\n" for name, value in fields) + "\r\n"
        connection.sendall(head.encode("latin-1", "replace"))
        if request.method != "HEAD":
            if whole:
                connection.sendall(body)
            else:
                for piece in body:
                    connection.sendall(piece)
        return whole

    def compressed(self, target, body):
        known = self.zipped.get(target)
        if known is None:
            known = gzip.compress(body, 6 if len(body) < 16 << 20 else 1)
            if self.kept + len(known) <= KEPT:
                self.kept += len(known)
                self.zipped[target] = known
        return known


def listen(site):
    """A socket for a site, at all loopback addresses if it needs several."""
    listener = socket.socket()
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listener.bind(("0.0.0.0" if site.hosts else "127.0.0.1", 0))
    listener.listen(512)
    return listener


def main(site, descriptor, certificate, parent):
    """The server process, which inherits the listening socket. Prints a line when it is ready."""
    sys.setswitchinterval(0.02)
    server = Server(site, socket.socket(fileno=descriptor), certificate)
    server.warm()
    print("ready", flush=True)
    server.serve(parent)
