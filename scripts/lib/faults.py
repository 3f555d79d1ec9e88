"""Shared by the fault tests, load tests and benchmarks: a site, the service, databases, and the invariants."""

import http.client
import http.server
import json
import os
import pwd
import random
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time

from loopback_server import Server

FINAL = {"completed", "failed", "cancelled"}
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
# Short intervals, so that the tests see in seconds what takes a minute by default.
SHORT = {
    "ASSAY_WORKER__LEASE_SECONDS": "2",
    "ASSAY_WORKER__HEARTBEAT_SECONDS": "1",
    "ASSAY_WORKER__REAPER_SECONDS": "1",
    "ASSAY_WORKER__CONCURRENT_RUNS": "4",
    "ASSAY_RATE_LIMIT__ENABLED": "false",
}


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


def until(wanted, most, what, every=0.02):
    """Waits until `wanted` returns a true value, and returns it."""
    end = time.monotonic() + most
    while True:
        found = wanted()
        if found:
            return found
        if time.monotonic() > end:
            raise Trouble(f"{what}: not within {most} s")
        time.sleep(every)


class Trouble(Exception):
    """A test failed."""


class Site:
    """A small site whose pages have findings; it responds for every host name."""

    def __init__(self, pages=12, delay=0.01):
        site = self
        self.hits = 0
        self.delay = delay
        # Markup on every page beside the usual one.
        self.additional = ""

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            timeout = 30

            def do_GET(self):
                site.hits += 1
                time.sleep(site.delay)
                found = self.path.startswith(("/page/", "/failpoint-")) or self.path == "/"
                links = "".join(f'<a href="/page/{n}">page {n}</a>' for n in range(pages - 1))
                body = f'<!doctype html><html><title>{self.path}</title><h1>{self.path}</h1><img src="/i.png">{links}{site.additional}'.encode()
                body = body if found else b""
                self.send_response(200 if found else 404)
                self.send_header("Content-Type", "text/html; charset=utf-8")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                if self.command == "GET":
                    self.wfile.write(body)

            do_HEAD = do_GET

            def log_message(self, *_):
                pass

        self.server = Server(("127.0.0.1", 0), Handler)
        self.port = self.server.server_address[1]
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def url(self, host="127.0.0.1"):
        return f"http://{host}:{self.port}/"


class Postgres:
    """A temporary PostgreSQL server whose commits are durable, also if it is stopped in immediate mode."""

    def __init__(self, folder):
        self.bin = self.binaries()
        self.folder = folder
        self.data = os.path.join(folder, "data")
        self.port = free_port()
        self.url = f"postgres://postgres@127.0.0.1:{self.port}/postgres"
        self.user = "postgres" if os.getuid() == 0 else None
        if self.user:
            shutil.chown(folder, self.user)
            os.chmod(folder, 0o700)
        self.run("initdb", "-D", self.data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync")
        with open(os.path.join(self.data, "postgresql.conf"), "a") as file:
            file.write(
                f"port={self.port}\nlisten_addresses='127.0.0.1'\nunix_socket_directories=''\nmax_connections=200\n"
                # The operating system keeps running, so data written to it is not lost.
                "fsync=off\nsynchronous_commit=on\nfull_page_writes=off\nmin_wal_size=32MB\nmax_wal_size=64MB\n"
            )

    @staticmethod
    def binaries():
        found = shutil.which("initdb")
        if found:
            return os.path.dirname(os.path.realpath(found))
        versions = "/usr/lib/postgresql"
        for version in sorted(os.listdir(versions) if os.path.isdir(versions) else [], key=int, reverse=True):
            if os.path.exists(f"{versions}/{version}/bin/initdb"):
                return f"{versions}/{version}/bin"
        raise SystemExit("no PostgreSQL server is installed: install Debian's package postgresql or its equivalent")

    def run(self, program, *arguments, check=True):
        def become():
            if self.user:
                entry = pwd.getpwnam(self.user)
                os.setgroups([])
                os.setgid(entry.pw_gid)
                os.setuid(entry.pw_uid)

        with open(os.path.join(self.folder, "out"), "ab") as out:
            done = subprocess.run(
                [f"{self.bin}/{program}", *arguments], preexec_fn=become, cwd="/", stdin=subprocess.DEVNULL, stdout=out, stderr=out
            )
        if check and done.returncode:
            raise Trouble(f"{program} failed: see {self.folder}/out")
        return done.returncode

    def start(self):
        self.run("pg_ctl", "-D", self.data, "-l", os.path.join(self.folder, "server.log"), "-w", "-t", "60", "start")

    def stop(self, mode="immediate"):
        self.run("pg_ctl", "-D", self.data, "-m", mode, "-w", "-t", "60", "stop", check=False)


class Home:
    """A folder and a database for services of one test."""

    def __init__(self, arguments, folder=None, postgres=None):
        self.binary = os.path.abspath(arguments.binary)
        self.scratch = tempfile.mkdtemp(prefix="assay-fault-")
        self.folder = folder or self.scratch
        self.key_file = os.path.join(self.scratch, "key")
        self.log_file = os.path.join(self.scratch, "log")
        self.server = self.own = self.name = self.url = None
        self.services = []
        if not arguments.postgres:
            return
        if postgres:
            self.own = postgres
            self.server = postgres.url
        else:
            self.server = os.environ.get("TEST_POSTGRES_URL")
            if not self.server:
                self.own = Postgres(tempfile.mkdtemp(prefix="assay-fault-postgres-"))
                self.own.start()
                self.server = self.own.url
        self.name = f"fault_test_{os.getpid()}_{random.SystemRandom().randrange(10**6)}"
        self.psql(f"CREATE DATABASE {self.name}", self.server)
        self.url = self.server.rsplit("/", 1)[0] + "/" + self.name

    def psql(self, sql, url=None):
        binary = shutil.which("psql") or f"{Postgres.binaries()}/psql"
        done = subprocess.run([binary, "-XAtqF", "\t", "-d", url or self.url, "-c", sql], capture_output=True, text=True)
        if done.returncode:
            raise Trouble(f"{sql}: {done.stderr}")
        return [tuple(line.split("\t")) for line in done.stdout.splitlines()]

    def rows(self, sql):
        """The rows of a query, as strings."""
        if self.url:
            return self.psql(sql)
        import sqlite3

        connection = sqlite3.connect(f"file:{self.folder}/data/assay.db?mode=ro", uri=True, timeout=10)
        try:
            return [tuple("" if cell is None else str(cell) for cell in row) for row in connection.execute(sql)]
        finally:
            connection.close()

    def database(self):
        return ["--data-dir", os.path.join(self.folder, "data")] + (["--database-url", self.url] if self.url else [])

    def assay(self, *arguments, env=None):
        command = [self.binary, *arguments, *self.database()]
        return subprocess.run(command, capture_output=True, text=True, cwd=self.scratch, env={**os.environ, **(env or {})})

    def another_organization(self, name):
        """Creates a further organization and returns an API key of it."""
        made = json.loads(self.assay("orgs", "create", name, "--json").stdout)
        key = self.assay("keys", "create", "--org", made["organizationId"], "--name", "test", "--role", "admin", "--json")
        return json.loads(key.stdout)["key"]

    def violations(self, accepted, at_rest=True):
        file = os.path.join(self.scratch, "accepted")
        with open(file, "w") as out:
            out.writelines(f"{run}\n" for run in sorted(accepted))
        done = self.assay("invariants", "--expected-runs", file, *(["--at-rest"] if at_rest else []))
        if done.returncode not in (0, 1):
            return [f"the invariants could not be checked: {done.stderr.strip()}"]
        return done.stdout.splitlines()

    def end_all(self):
        """Ends the processes that a failed test left running."""
        for service in self.services:
            if service.process and service.process.poll() is None:
                service.process.send_signal(signal.SIGCONT)
                service.kill()

    def close(self, keep=False):
        if self.name and not self.own:
            self.psql(f"DROP DATABASE IF EXISTS {self.name} WITH (FORCE)", self.server)
        if self.own:
            self.own.stop()
            shutil.rmtree(self.own.folder, ignore_errors=True)
        if not keep:
            shutil.rmtree(self.scratch, ignore_errors=True)


class Service:
    """A process of the service: `serve`, or `worker`."""

    def __init__(self, home, *flags, command="serve", env=None, settings=SHORT):
        self.home = home
        self.port = free_port()
        self.command = [home.binary, command, *home.database(), *flags]
        if command == "serve":
            self.command += ["--listen", f"127.0.0.1:{self.port}", "--bootstrap-key-file", home.key_file]
        self.settings = settings
        self.env = env or {}
        self.process = None
        self.log = home.log_file
        home.services.append(self)

    def start(self, env=None):
        with open(self.log, "ab") as log:
            # Only tests of rendered mode need a browser. The program of an earlier version does not know the setting.
            without_browser = {"ASSAY_BROWSER__RUNS": "off"} if self.command[0] == self.home.binary else {}
            environment = {**without_browser, **os.environ, **self.settings, **self.env, **(env or {})}
            self.process = subprocess.Popen(self.command, stdout=log, stderr=log, env=environment, cwd=self.home.scratch)
        return self

    def kill(self):
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def stop(self):
        """Stops it with SIGTERM; returns the exit status and the duration."""
        if self.process is None or self.process.poll() is not None:
            return None, 0.0
        began = time.monotonic()
        self.process.terminate()
        try:
            return self.process.wait(20), time.monotonic() - began
        except subprocess.TimeoutExpired:
            self.process.kill()
            return "killed", time.monotonic() - began

    def is_ready(self):
        if self.process.poll() is not None:
            raise Trouble(f"the service exited with {self.process.returncode}: {self.last_lines()}")
        try:
            return self.call("GET", "/readyz", key=False)[0] == 200
        except OSError:
            return False

    def last_lines(self, number=5):
        """The end of its log, which other processes of the test write to, too."""
        with open(self.log, errors="replace") as log:
            return "".join(log.readlines()[-number:])

    def wait_until_ready(self, most=30):
        until(self.is_ready, most, "the service gets ready", 0.01)
        return self

    def call(self, method, path, body=None, key=True, timeout=10):
        status, answer, _ = self.exchange(method, path, body, key, timeout)
        return status, answer

    def exchange(self, method, path, body=None, key=True, timeout=10):
        """Sends one request; `key` is a string, or true for the key of the first organization."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=timeout)
        headers = {}
        if key:
            if key is True:
                with open(self.home.key_file) as file:
                    key = file.read().strip()
            headers["Authorization"] = f"Bearer {key}"
        if body is not None:
            headers["Content-Type"] = "application/json"
        try:
            connection.request(method, path, json.dumps(body) if body is not None else None, headers)
            answer = connection.getresponse()
            return answer.status, json.loads(answer.read() or b"null"), dict(answer.getheaders())
        except (http.client.HTTPException, ValueError) as error:
            raise OSError(f"incomplete response: {error}") from error
        finally:
            connection.close()

    def audit(self, url, pages=12, key=None, **options):
        """Starts an audit; returns the run id, or none if it was not accepted."""
        try:
            options = {"maxPages": pages, **options}
            status, answer = self.call("POST", "/api/mcp/start-audit", {"url": url, "options": options}, key or True)
        except OSError:
            return None
        return answer["runId"] if status == 202 else None

    def run(self, run, key=None):
        status, answer = self.call("GET", f"/api/mcp/runs/{run}", key=key or True)
        if status != 200:
            raise Trouble(f"GET /runs/{run}: {status} {answer}")
        return answer

    def wait_for_ends(self, home, accepted, most=180):
        """Waits until no run is queued or running; counts the outcomes of the runs."""
        sql = "SELECT count(*) FROM jobs WHERE kind = 'run'"
        until(lambda: home.rows(sql)[0][0] == "0", most, "all runs end", 0.1)
        counts = {}
        for status, code in home.rows("SELECT status, coalesce(error_code, '') FROM runs"):
            what = f"{status} ({code})" if code else status
            counts[what] = counts.get(what, 0) + 1
        return ", ".join(f"{n} {what}" for what, n in sorted(counts.items()))


def points():
    """The names of all failpoints: see `storage::failpoint`."""
    names = []
    for folder in ("storage", "server"):
        for place, _, files in os.walk(os.path.join(ROOT, "crates", folder, "src")):
            for file in files:
                with open(os.path.join(place, file)) as text:
                    names += re.findall(r'point!\(\s*"([^"]+)"', text.read())
    return sorted(set(names))


def tail(file, most=4000):
    if os.path.exists(file):
        with open(file, errors="replace") as log:
            print(log.read()[-most:], file=sys.stderr)
