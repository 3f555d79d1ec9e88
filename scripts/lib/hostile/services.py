"""Audits of hostile sites by a service, two at a time, together with a small site of another organization."""

import concurrent.futures
import contextlib
import dataclasses
import http.client
import json
import os
import shutil
import tempfile
import threading
import time

import faults
from hostile.play import certificate_in, played

MIB = 1024 * 1024
FORMS = ("html", "markdown", "sarif", "csv", "junit", "llm")
# One in this many reports is also read as PDF.
PDF_EVERY = 10
COLUMNS = ("site", "verdict", "status", "seconds", "peak MiB", "database KiB", "readable")


class Caller:
    """An organization's key, and requests with it."""

    def __init__(self, service, key):
        self.service, self.key = service, key

    def ask(self, method, path, body=None, timeout=60):
        """Status and body of a response; 0 and the error if there is none. Waits for the `Retry-After` of a 429."""
        until = time.monotonic() + timeout
        while True:
            status, answer, wait = self.ask_once(method, path, body, timeout)
            if status != 429 or time.monotonic() + wait > until:
                return status, answer
            time.sleep(wait)

    def ask_once(self, method, path, body, timeout):
        """As `ask`, with the seconds until the next attempt."""
        connection = http.client.HTTPConnection("127.0.0.1", self.service.port, timeout=timeout)
        headers = {"Authorization": f"Bearer {self.key}"}
        if body is not None:
            headers["Content-Type"] = "application/json"
        try:
            connection.request(method, path, json.dumps(body) if body is not None else None, headers)
            answer = connection.getresponse()
            return answer.status, answer.read(), float(answer.getheader("Retry-After") or 1)
        except (http.client.HTTPException, OSError) as error:
            return 0, str(error).encode(), 0
        finally:
            connection.close()

    def start(self, url, pages):
        """Starts an audit; returns the run id, or none."""
        status, answer = self.ask("POST", "/api/mcp/start-audit", {"url": url, "options": {"maxPages": pages}})
        return json.loads(answer)["runId"] if status == 202 else None

    def run(self, run):
        """The run, or none if the service does not return it."""
        status, answer = self.ask("GET", f"/api/mcp/runs/{run}", timeout=10)
        return json.loads(answer) if status == 200 else None

    def ended(self, run, until, every=0.5):
        """Waits for the end of the run; none after the timeout."""
        while time.monotonic() < until:
            found = self.run(run)
            if found and found["status"] in faults.FINAL:
                return found
            time.sleep(every)
        return None


def tree(root):
    """The process and all its descendants."""
    parents = {}
    for name in os.listdir("/proc"):
        if name.isdigit():
            with contextlib.suppress(OSError), open(f"/proc/{name}/stat") as stat:
                parents[int(name)] = int(stat.read().rpartition(")")[2].split()[1])
    found = [root]
    for known in found:
        found += [child for child, parent in parents.items() if parent == known]
    return found


def resident_mib(root):
    """Resident memory of a process and all its descendants."""
    sum_kib = 0
    for process in tree(root):
        with contextlib.suppress(OSError), open(f"/proc/{process}/status") as status:
            sum_kib += sum(int(line.split()[1]) for line in status if line.startswith("VmRSS:"))
    return sum_kib / 1024


class Watched:
    """The service, restarted whenever it ends, and its memory."""

    def __init__(self, home, asked, environment):
        self.home = home
        settings = {
            "ASSAY_WORKER__CONCURRENT_RUNS": str(asked.concurrent_runs),
            "ASSAY_CRAWL__DEADLINE_SECONDS": str(asked.deadline),
        }
        self.service = faults.Service(home, "--allow-target", "127.0.0.0/8", settings=settings, env=environment)
        # Two concurrent audits may use the memory of two separate processes, and no more.
        limit = f'ulimit -v {2 * asked.space_mib * 1024} && exec "$@"'
        self.service.command = ["sh", "-c", limit, "sh", *self.service.command]
        self.service.start().wait_until_ready()
        self.aborts = []
        self.peaks = {}
        self.stopped = threading.Event()
        self.watcher = threading.Thread(target=self.watch)
        self.watcher.start()

    @property
    def port(self):
        return self.service.port

    def watch(self):
        while not self.stopped.wait(0.1):
            status = self.service.process.poll()
            if status is not None and not self.stopped.is_set():
                self.aborts.append(status)
                self.service.start()
                with contextlib.suppress(faults.Trouble):
                    self.service.wait_until_ready(60)
                continue
            now = self.memory()
            for name in list(self.peaks):
                self.peaks[name] = max(self.peaks.get(name, 0), now)

    def memory(self):
        return resident_mib(self.service.process.pid)

    def stop(self):
        self.stopped.set()
        self.watcher.join()
        self.service.stop()


def database_bytes(home):
    """Bytes of the database, without free pages."""
    if home.url:
        return int(home.rows("SELECT pg_database_size(current_database())")[0][0])
    rows = [home.rows(f"PRAGMA {name}")[0][0] for name in ("page_count", "freelist_count", "page_size")]
    pages, free, size = (int(row) for row in rows)
    return (pages - free) * size


@dataclasses.dataclass
class Outcome:
    """The outcome of one run."""

    name: str
    status: str
    seconds: float
    peak_mib: float
    written: float
    forms: dict
    timed_out: bool
    aborts: int

    def verdict(self):
        words = ["ABORT"] if self.aborts else []
        words += ["TIMEOUT"] if self.timed_out else []
        words += ["INTERNAL"] if "internal" in self.status else []
        words += ["UNREADABLE"] if any(status != 200 for status, _ in self.forms.values()) else []
        return " ".join(words) or "ok"

    def row(self):
        forms = ", ".join(f"{form} {size // 1024} KiB" if status == 200 else f"{form} {status}" for form, (status, size) in self.forms.items())
        return self.name, self.verdict(), self.status, f"{self.seconds:.1f}", f"{self.peak_mib:.0f}", f"{self.written / 1024:.0f}", forms


def read(caller, report, with_pdf):
    """Status and size of the report in every format."""
    path = f"/api/mcp/reports/{report}"
    found = {}
    for form in ("json", *FORMS):
        status, body = caller.ask("GET", path if form == "json" else f"{path}?format={form}")
        found[form] = (status, len(body))
    if with_pdf:
        status, body = caller.ask("GET", f"{path}?format=pdf_url")
        link = json.loads(body)["url"] if status == 200 else ""
        if link:
            status, body = caller.ask("GET", "/" + link.split("/", 3)[3], timeout=120)
        found["pdf"] = (status, len(body))
    return found


class Innocent(threading.Thread):
    """Audits a small site repeatedly; records each run that did not complete."""

    def __init__(self, caller, site):
        super().__init__()
        self.caller, self.site = caller, site
        self.runs, self.harmed, self.times = 0, [], []
        self.stopped = threading.Event()

    def run(self):
        while not self.stopped.is_set():
            began = time.monotonic()
            run = self.caller.start(self.site.url(), 12)
            if run is None:
                # The service is restarting; accepted runs count.
                time.sleep(1)
                continue
            found = self.caller.ended(run, began + 900)
            self.runs += 1
            self.times.append(time.monotonic() - began)
            if found is None or found["status"] != "completed":
                self.harmed.append(f"{run}: {found and (found['status'], found['error'])}")


def audit(site, watched, caller, certificates, asked, number):
    """One run of a hostile site."""
    with played(site, certificates) as url:
        watched.peaks[site.name] = 0
        aborts = len(watched.aborts)
        began = time.monotonic()
        run = None
        while run is None and time.monotonic() < began + 60:
            run = caller.start(url, site.pages) or time.sleep(1)
        found = caller.ended(run, began + asked.seconds) if run else None
        timed_out = run is not None and found is None
        if timed_out:
            caller.ask("POST", f"/api/mcp/runs/{run}/cancel")
            found = caller.ended(run, time.monotonic() + 60)
        seconds = time.monotonic() - began
        peak = watched.peaks.pop(site.name)
    if found is None:
        status = "not accepted" if run is None else "not ended"
    else:
        error = found.get("error") or {}
        status = found["status"] + (f" ({error['code']})" if error else "")
    forms = {}
    if found and found.get("reportId"):
        forms = read(caller, found["reportId"], number % PDF_EVERY == 0)
    return Outcome(site.name, status, seconds, peak, 0, forms, timed_out, len(watched.aborts) - aborts)


def organization(home, name):
    """Creates an organization and returns a key that may start audits."""
    created = home.assay("orgs", "create", name)
    org = created.stdout.strip()
    key = home.assay("keys", "create", "--org", org, "--name", name, "--role", "member")
    if created.returncode or key.returncode:
        raise SystemExit(f"hostile-sites: {created.stderr}{key.stderr}")
    return key.stdout.strip()


def audit_all(sites, asked):
    """Audits the sites and prints the table; returns 1 if a verdict is not `ok` or an innocent run failed."""
    scratch = tempfile.mkdtemp(prefix="assay-hostile-")
    home = faults.Home(asked)
    watched = innocent = None
    try:
        certificates = certificate_in(scratch)
        sites = [site for site in sites if certificates.leaf or not site.tls]
        watched = Watched(home, asked, certificates.environment())
        hostile = Caller(watched, organization(home, "hostile"))
        other = Caller(watched, organization(home, "innocent"))
        innocent = Innocent(other, faults.Site())
        warm = other.start(innocent.site.url(), 12)
        ended = warm and other.ended(warm, time.monotonic() + 60)
        if not ended or not ended.get("reportId"):
            raise SystemExit("hostile-sites: the service does not audit a small site")
        # The first report that is read in every format loads fonts and templates.
        read(other, ended["reportId"], with_pdf=True)
        time.sleep(2)
        rest = watched.memory()
        innocent.start()
        outcomes = audit_pairs(sites, watched, hostile, certificates, asked, home)
        innocent.stopped.set()
        innocent.join()
        time.sleep(30)
        return summary(outcomes, watched, innocent, rest, watched.memory())
    finally:
        if innocent:
            innocent.stopped.set()
        if watched:
            watched.stop()
        home.end_all()
        if asked.reports:
            os.makedirs(asked.reports, exist_ok=True)
            shutil.copy(home.log_file, os.path.join(asked.reports, "service.log"))
        home.close()
        shutil.rmtree(scratch, ignore_errors=True)


def audit_pairs(sites, watched, hostile, certificates, asked, home):
    """Audits the sites two at a time; the growth of the database is reported for each pair."""
    outcomes = []
    form = "{:<30} {:<12} {:<28} {:>7} {:>8} {:>12}  {}"
    print(form.format(*COLUMNS), flush=True)
    with concurrent.futures.ThreadPoolExecutor(2) as pool, contextlib.ExitStack() as files:
        table = files.enter_context(open(asked.tsv, "w")) if asked.tsv else None
        if table:
            print("\t".join(COLUMNS), file=table)
        for first in range(0, len(sites), 2):
            before = database_bytes(home)
            pair = list(enumerate(sites[first : first + 2], first))
            done = list(pool.map(lambda at: audit(at[1], watched, hostile, certificates, asked, at[0]), pair))
            written = max(0, database_bytes(home) - before)
            for outcome in done:
                outcome.written = written / len(done)
                outcomes.append(outcome)
                print(form.format(*outcome.row()), flush=True)
                if table:
                    print("\t".join(outcome.row()), file=table, flush=True)
    return outcomes


def summary(outcomes, watched, innocent, rest, after):
    bad = [outcome for outcome in outcomes if outcome.verdict() != "ok"]
    unread = sum(any(status != 200 for status, _ in outcome.forms.values()) for outcome in outcomes)
    highest = max(outcomes, key=lambda outcome: outcome.peak_mib)
    print(
        f"{len(outcomes)} sites, {len(bad)} not ok; the service ended {len(watched.aborts)} times {watched.aborts or ''};"
        f" {len(innocent.harmed)} of {innocent.runs} innocent runs harmed; {unread} reports unreadable;"
        f" highest peak {highest.peak_mib:.0f} MiB ({highest.name});"
        f" memory {rest:.0f} MiB at rest, {after:.0f} MiB 30 s after the last run ({after / rest:.2f} times)"
    )
    if innocent.times:
        times = sorted(innocent.times)
        print(f"innocent runs: median {times[len(times) // 2]:.1f} s, slowest {times[-1]:.1f} s")
    for harmed in innocent.harmed:
        print(f"harmed: {harmed}")
    return 1 if bad or watched.aborts or innocent.harmed or unread else 0
