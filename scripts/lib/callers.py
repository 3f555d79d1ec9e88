"""Hostile clients: each attack is a coroutine that runs until its time is over. Used by scripts/hostile-callers."""

import asyncio
import collections
import json
import random
import struct
import zlib

CLIENT = "127.0.0.3"
MCP_HEADERS = "Content-Type: application/json\r\nAccept: application/json, text/event-stream\r\nMCP-Protocol-Version: 2025-11-25\r\n"


class Context:
    """The input and the results of an attack."""

    def __init__(self, facts, seconds):
        self.__dict__.update(facts)
        self.end = asyncio.get_running_loop().time() + seconds
        self.statuses = collections.Counter()
        self.without_retry_after = 0
        self.failures = collections.Counter()

    def is_over(self):
        return asyncio.get_running_loop().time() >= self.end

    async def pause(self, seconds):
        await asyncio.sleep(max(0, min(seconds, self.end - asyncio.get_running_loop().time())))

    async def connect(self, small=False):
        if small:
            import socket

            sock = socket.socket()
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            sock.setblocking(False)
            sock.bind((CLIENT, 0))
            await asyncio.get_running_loop().sock_connect(sock, ("127.0.0.1", self.port))
            return await asyncio.open_connection(sock=sock, limit=4096)
        return await asyncio.open_connection("127.0.0.1", self.port, local_addr=(CLIENT, 0))

    def head(self, line, key=None, more=""):
        authorization = f"Authorization: Bearer {key}\r\n" if key else ""
        return f"{line} HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\n{authorization}{more}\r\n".encode()

    def post(self, path, body, key=None, more="Content-Type: application/json\r\n"):
        body = body if isinstance(body, bytes) else body.encode()
        return self.head(f"POST {path}", key, f"{more}Content-Length: {len(body)}\r\n") + body

    async def answer(self, reader):
        """Reads one response, and counts it."""
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").lower()
        status = int(head[9:12])
        headers = dict(line.split(": ", 1) for line in head.split("\r\n")[1:] if ": " in line)
        self.statuses[status] += 1
        if status == 429 and "retry-after" not in headers:
            self.without_retry_after += 1
        left = int(headers.get("content-length", 0))
        if headers.get("transfer-encoding") == "chunked":
            while True:
                size = int((await reader.readline()).split(b";")[0], 16)
                await reader.readexactly(size + 2)
                if size == 0:
                    break
        while left:
            left -= len(await reader.read(min(left, 65536)) or b"\0" * left)
        return status, headers

    async def repeat(self, make, pipelined=1):
        """Sends requests on one connection at a time, each after the previous response."""
        number = 0
        while not self.is_over():
            writer = None
            try:
                reader, writer = await asyncio.wait_for(self.connect(), 10)
                while not self.is_over():
                    requests = b"".join(make(number + n) for n in range(pipelined))
                    number += pipelined
                    writer.write(requests)
                    for _ in range(pipelined):
                        _, headers = await asyncio.wait_for(self.answer(reader), 40)
                    if headers.get("connection") == "close":
                        break
            except (OSError, EOFError, ValueError, asyncio.TimeoutError, asyncio.LimitOverrunError) as error:
                self.failures[type(error).__name__] += 1
                await self.pause(0.02)
            finally:
                if writer:
                    writer.close()

    async def many(self, clients, make, pipelined=1):
        await asyncio.gather(*(self.repeat(make, pipelined) for _ in range(clients)))

    async def hold(self, connections, make, drip=None, rate=50, small=False, read=False):
        """Opens connections, sends data on each, and keeps them open. Closed connections are opened again."""

        async def one(number):
            await self.pause(number / rate)
            while not self.is_over():
                writer = None
                try:
                    reader, writer = await asyncio.wait_for(self.connect(small), 10)
                    writer.write(make(number))
                    if read:
                        status, _ = await self.head_of(reader)
                        if status == 429:
                            await self.pause(1)
                            continue
                    while not self.is_over():
                        if drip:
                            writer.write(drip)
                            await writer.drain()
                            await self.pause(0.5)
                            if reader.at_eof() or reader._buffer:
                                await asyncio.wait_for(self.answer(reader), 1)
                                break
                        elif small:
                            # Reads no response, but detects a closed connection.
                            await self.pause(1)
                            if writer.transport.is_closing() or reader.at_eof():
                                break
                        elif not await self.next(reader):
                            break
                except (OSError, EOFError, ValueError, asyncio.TimeoutError, asyncio.LimitOverrunError) as error:
                    self.failures[type(error).__name__] += 1
                    await self.pause(0.1)
                finally:
                    if writer:
                        writer.transport.abort()

        await asyncio.gather(*(one(number) for number in range(connections)))

    async def next(self, reader):
        try:
            return await asyncio.wait_for(reader.read(4096), 1)
        except asyncio.TimeoutError:
            return True

    async def head_of(self, reader):
        head = (await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), 10)).decode("latin-1").lower()
        status = int(head[9:12])
        self.statuses[status] += 1
        if status == 429 and "retry-after: " not in head:
            self.without_retry_after += 1
        return status, head


ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"


def unknown_key(n):
    """A well-formed key that does not exist: 43 characters and their CRC-32."""
    secret = "".join(random.Random(n).choice(ALPHABET) for _ in range(43))
    crc, digits = zlib.crc32(secret.encode()), ""
    for _ in range(6):
        crc, digit = divmod(crc, 62)
        digits = ALPHABET[digit] + digits
    return f"sk_service_{secret}{digits}"


def mcp(method, params):
    return json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params})


FORMATS = ["html", "markdown", "sarif", "junit", "csv", "json", "llm"]


# Attacks that once blocked other clients.

async def openapi_brotli(c):
    """64 clients without a key request the OpenAPI document, compressed."""
    await c.many(64, lambda _: c.head("GET /openapi.json", more="Accept-Encoding: br, gzip\r\n"))


async def openapi_200(c):
    """200 clients without a key request the OpenAPI document."""
    await c.many(200, lambda _: c.head("GET /openapi.json", more="Accept-Encoding: br\r\n"))


async def exports(c):
    """Sixteen concurrent exports of one report of 60 pages with one read key."""
    await c.many(16, lambda n: c.head(f"GET /api/mcp/reports/{c.report}?format={FORMATS[n % 7]}", c.keys[0]))


async def slow_mcp_bodies(c):
    """Endless request bodies to /mcp, ten new ones per second."""
    await c.hold(400, lambda _: c.head("POST /mcp", c.keys[0], MCP_HEADERS + "Content-Length: 200000\r\n"), drip=b" ", rate=20)


async def unread_answers(c):
    """64 clients request the largest response and read nothing of it."""
    await c.hold(64, lambda n: c.head(f"GET /api/mcp/reports/{c.report}" + ("?format=csv" if n % 2 else ""), c.keys[n % 2]), small=True)


async def largest_report(c):
    """64 clients of one key fetch the largest report."""
    await c.many(64, lambda _: c.head(f"GET /api/mcp/reports/{c.report}", c.keys[0], "Accept-Encoding: gzip\r\n"))


async def streams(c):
    """Eight keys of one organization open 40 streams of events each."""
    await c.hold(320, lambda n: c.head(f"GET /api/mcp/runs/{c.running}/events", c.keys[n % 8]), rate=100, read=True)


async def mcp_200(c):
    """200 agents call a tool at /mcp."""
    body = mcp("tools/call", {"name": "list_runs", "arguments": {}})
    await c.many(200, lambda _: c.post("/mcp", body, c.keys[0], MCP_HEADERS))


# Others.

async def slow_heads(c):
    """Endless request headers."""
    await c.hold(300, lambda _: b"GET /healthz HTTP/1.1\r\n", drip=b"X-A: b\r\n", rate=100)


async def long_heads(c):
    """Incomplete request headers of 120 KiB, on 400 connections."""
    await c.hold(400, lambda _: b"GET /healthz HTTP/1.1\r\nX-Long: " + b"a" * 120_000, rate=200)


async def many_headers(c):
    """Requests with ninety headers."""
    more = "".join(f"X-{n}: {'v' * 80}\r\n" for n in range(90))
    await c.many(64, lambda _: c.head("GET /api/mcp/sites", c.keys[0], more))


async def idle_connections(c):
    """800 connections that send nothing."""
    await c.hold(800, lambda _: b"", rate=400)


async def pipelining(c):
    """Sixteen connections with 100 requests in flight on each."""
    await c.many(16, lambda _: c.head("GET /api/mcp/sites", c.keys[0]), pipelined=100)


async def long_queries(c):
    """Queries of 30 KB."""
    query = "&".join(f"a{n}=%20" for n in range(3_000))
    await c.many(64, lambda _: c.head(f"GET /api/mcp/runs?{query}", c.keys[0]))


async def http2_streams(c):
    """HTTP/2 with prior knowledge: thousands of settings, streams and resets."""

    def frame(kind, flags, stream, payload=b""):
        return struct.pack(">I", len(payload))[1:] + bytes([kind, flags]) + struct.pack(">I", stream) + payload

    flood = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + frame(4, 0, 0) * 1_000
    for stream in range(1, 2_000, 2):
        flood += frame(1, 5, stream, b"\x82\x84\x86") + frame(3, 0, stream, b"\0\0\0\x08")
    await c.hold(64, lambda _: flood, rate=200)


async def deep_json(c):
    """Bodies of 250 KB of nested arrays."""
    body = b'{"url":' + b"[" * 125_000 + b"]" * 125_000 + b"}"
    await c.many(32, lambda _: c.post("/api/mcp/start-audit", body, c.keys[0]))


async def pdf_ranges(c):
    """Single bytes of a PDF behind a signed link."""
    await c.many(64, lambda n: c.head(f"GET {c.pdf}", more=f"Range: bytes={n % 1000}-{n % 1000}\r\n"))


async def conditional_requests(c):
    """Long lists of entity tags for a PDF behind a signed link."""
    tags = ", ".join(f'"{n:032x}"' for n in range(600))
    await c.many(64, lambda _: c.head(f"GET {c.pdf}", more=f"If-None-Match: {tags}\r\n"))


async def idempotency_keys(c):
    """Changes with a new Idempotency-Key each."""
    body = json.dumps({"title": "x" * 200, "description": "y" * 10_000})
    await c.many(32, lambda n: c.post("/api/mcp/actions", body, c.admin, f"Content-Type: application/json\r\nIdempotency-Key: {random.getrandbits(64)}\r\n"))


async def webhooks(c):
    """As many webhooks as can be created."""
    await c.many(32, lambda n: c.post("/api/mcp/webhooks", json.dumps({"url": f"https://example.com/{n}", "events": ["run.completed"]}), c.admin))


async def unknown_keys(c):
    """Well-formed keys that do not exist."""
    await c.many(64, lambda _: c.head("GET /api/mcp/sites", unknown_key(random.getrandbits(32))))


async def compressed_bodies(c):
    """Bodies of 250 KB that would be 250 MB decompressed."""
    packer = zlib.compressobj(9, zlib.DEFLATED, 31)
    body = packer.compress(b" " * 250_000_000) + packer.flush()
    more = "Content-Type: application/json\r\nContent-Encoding: gzip\r\n"
    await c.many(32, lambda _: c.post("/api/mcp/start-audit", body, c.keys[0], more))


async def cursor_scans(c):
    """The pages of a report over and over, 200 at a time."""
    await c.many(64, lambda n: c.head(f"GET /api/mcp/reports/{c.report}/pages?limit=200", c.keys[n % 8]))


async def mcp_sessions(c):
    """New sessions at /mcp."""
    hello = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "x", "version": "1"}}
    await c.many(64, lambda n: c.post("/mcp", mcp("initialize", hello), c.keys[n % 8], MCP_HEADERS))


async def comparisons(c):
    """Comparisons of the largest report with itself, with eight keys."""
    await c.many(32, lambda n: c.head(f"GET /api/mcp/reports/{c.report}/diff?against={c.report}", c.keys[n % 8]))


async def hang_ups(c):
    """Exports whose clients disconnect immediately."""

    async def one(number):
        while not c.is_over():
            try:
                _, writer = await c.connect()
                writer.write(c.head(f"GET /api/mcp/reports/{c.report}?format={FORMATS[number % 7]}", c.keys[number % 8]))
                await c.pause(0.01)
                writer.transport.abort()
            except OSError as error:
                c.failures[type(error).__name__] += 1

    await asyncio.gather(*(one(number) for number in range(32)))


async def unread_documents(c):
    """400 clients without a key request the script of the API explorer and read nothing of it."""
    await c.hold(400, lambda _: c.head("GET /docs/swagger-ui-bundle.js"), small=True, rate=200)


ATTACKS = {
    attack.__name__.replace("_", "-"): attack
    for attack in [
        openapi_brotli, openapi_200, exports, slow_mcp_bodies, unread_answers, largest_report, streams, mcp_200,
        slow_heads, long_heads, many_headers, idle_connections, pipelining, long_queries, http2_streams, deep_json,
        pdf_ranges, conditional_requests, idempotency_keys, webhooks, unknown_keys, compressed_bodies, cursor_scans,
        mcp_sessions, comparisons, hang_ups, unread_documents,
    ]
}


def attack(name, facts, seconds):
    """Runs one attack; returns its results."""

    async def run():
        context = Context(facts, seconds)
        try:
            await asyncio.wait_for(ATTACKS[name](context), seconds + 5)
        except asyncio.TimeoutError:
            pass
        return {
            "statuses": dict(sorted(context.statuses.items())),
            "failures": dict(context.failures),
            "without_retry_after": context.without_retry_after,
        }

    return asyncio.run(run())
