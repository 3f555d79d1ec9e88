"""Audits of hostile sites by `assay audit`, each in a separate process."""

import concurrent.futures
import dataclasses
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time

from hostile.play import certificate_in, played

MIB = 1024 * 1024
# Exit statuses of a regular end of an audit: with a report, or with an error that explains why there is none.
ENDED = (0, 3)
# Running audits, to be ended when this program ends.
UNDER_WAY = set()
COLUMNS = ("site", "verdict", "seconds", "cpu seconds", "peak MiB", "exit", "issues", "causes", "report bytes", "left out")


@dataclasses.dataclass
class Outcome:
    """The outcome of one audit."""

    name: str
    verdict: str
    seconds: float
    cpu: float
    peak_mib: float
    status: str
    issues: int
    causes: int
    report_bytes: int
    left_out: str

    def row(self):
        return (
            self.name, self.verdict, f"{self.seconds:.1f}", f"{self.cpu:.1f}", f"{self.peak_mib:.0f}", self.status,
            str(self.issues), str(self.causes), str(self.report_bytes), self.left_out,
        )


def read_report(file):
    """Issues, causes and skipped parts of a report; a report has one cause per issue, or issues with causes."""
    with open(file) as report:
        report = json.load(report)
    issues = report["issues"]
    checks = {issue["checkId"] for issue in issues}
    causes = sum(issue.get("causesTotal", 1) for issue in issues)
    coverage = report["coverage"]
    left = [f"stopped by {coverage['stoppedBy']}"] if coverage.get("stoppedBy") else []
    left += [f"{entry['reason']} {entry['count']}" for entry in coverage.get("skipped", [])]
    for entry in report.get("unjudged", []):
        left.append(f"{entry['checkId']}: {entry.get('reason', entry.get('why', ''))} {entry.get('count', '')}".strip())
    return {"issues": len(issues) if any("causesTotal" in issue for issue in issues) else len(checks), "causes": causes, "leftOut": left}


def read_apart(file):
    """As `read_report`, in a separate process, because reports may be large; none if the report is unreadable."""
    code = "import json, sys; sys.dont_write_bytecode = True; from hostile.audits import read_report; print(json.dumps(read_report(sys.argv[1])))"
    folder = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    done = subprocess.run([sys.executable, "-c", code, file], capture_output=True, text=True, env={**os.environ, "PYTHONPATH": folder})
    return json.loads(done.stdout) if done.returncode == 0 else None


def wait(process, until):
    """Waits until the process ends or the timeout; returns its status, or none, and its resource usage."""
    while True:
        ended, status, used = os.wait4(process.pid, os.WNOHANG)
        if ended:
            process.returncode = os.waitstatus_to_exitcode(status)
            return process.returncode, used
        if time.monotonic() > until:
            process.kill()
            _, status, used = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
            return None, used
        time.sleep(0.02)


def last_line(file):
    with open(file, "rb") as errors:
        errors.seek(max(0, os.path.getsize(file) - 4000))
        lines = errors.read().decode(errors="replace").strip().splitlines()
    return lines[-1].strip()[:200] if lines else ""


def audit(site, asked, folder, certificates):
    """Audits one site."""
    report, errors = os.path.join(folder, f"{site.name}.json"), os.path.join(folder, f"{site.name}.txt")
    with played(site, certificates) as url, open(report, "wb") as out, open(errors, "wb") as said:
        command = [asked.binary, "audit", url, "--json", "--quiet", "--allow-target", "127.0.0.0/8", "--max-pages", str(site.pages)]
        limited = ["sh", "-c", f'ulimit -v {asked.space_mib * 1024} && exec "$@"', "sh", *command]
        deadline = {"ASSAY_CRAWL__DEADLINE_SECONDS": str(asked.deadline)}
        environment = {**os.environ, **certificates.environment(), **deadline}
        began = time.monotonic()
        process = subprocess.Popen(limited, stdin=subprocess.DEVNULL, stdout=out, stderr=said, env=environment, cwd=folder)
        UNDER_WAY.add(process)
        status, used = wait(process, began + asked.seconds)
        UNDER_WAY.discard(process)
        seconds = time.monotonic() - began
    size, peak = os.path.getsize(report), used.ru_maxrss / 1024
    read = read_apart(report) if size else None
    verdicts = []
    if status is None:
        verdicts.append("TIMEOUT")
    elif status not in ENDED:
        verdicts.append("ABORT")
    elif read is None and status == 0:
        verdicts.append("UNREADABLE")
    if peak > asked.peak_mib:
        verdicts.append("OVER")
    if size > asked.report_mib * MIB:
        verdicts.append("REPORT")
    if status is not None and status < 0:
        ended = signal.Signals(-status).name
    else:
        ended = "-" if status is None else str(status)
    left = "; ".join(read["leftOut"]) if read else last_line(errors)
    issues, causes = (read["issues"], read["causes"]) if read else (0, 0)
    if not asked.reports:
        os.unlink(report)
    verdict = " ".join(verdicts) or "ok"
    cpu = used.ru_utime + used.ru_stime
    return Outcome(site.name, verdict, seconds, cpu, peak, ended, issues, causes, size, left)


def in_turn(sites, asked, folder, certificates):
    """Audits the sites, with the requested concurrency, and returns their outcomes in order. Running audits end
    when this program ends."""
    pool = concurrent.futures.ThreadPoolExecutor(max(asked.jobs, 1))
    try:
        yield from pool.map(lambda site: audit(site, asked, folder, certificates), sites)
    finally:
        pool.shutdown(wait=False, cancel_futures=True)
        while UNDER_WAY:
            for process in list(UNDER_WAY):
                process.kill()
            time.sleep(0.1)
        pool.shutdown()


def audit_all(sites, asked):
    """Audits the sites and prints the table; returns 1 if a verdict is not `ok`."""
    scratch = tempfile.mkdtemp(prefix="assay-hostile-")
    outcomes = []
    try:
        certificates = certificate_in(scratch)
        if not certificates.leaf:
            print("openssl is missing: skipping sites on https", file=sys.stderr)
            sites = [site for site in sites if not site.tls]
        if asked.reports:
            os.makedirs(asked.reports, exist_ok=True)
        folder = os.path.abspath(asked.reports) if asked.reports else scratch
        form = "{:<30} {:<14} {:>7} {:>7} {:>8} {:>7} {:>6} {:>8} {:>12}  {}"
        print(form.format(*COLUMNS), flush=True)
        table = open(asked.tsv, "w") if asked.tsv else None
        if table:
            print("\t".join(COLUMNS), file=table, flush=True)
        for outcome in in_turn(sites, asked, folder, certificates):
            outcomes.append(outcome)
            row = outcome.row()
            print(form.format(*row[:-1], row[-1][:300]), flush=True)
            if table:
                print("\t".join(cell.replace("\t", " ") for cell in row), file=table, flush=True)
        if table:
            table.close()
    finally:
        shutil.rmtree(scratch, ignore_errors=True)
    return summary(outcomes)


def summary(outcomes):
    bad = [outcome for outcome in outcomes if outcome.verdict != "ok"]
    counts = {}
    for outcome in bad:
        for word in outcome.verdict.split():
            counts[word] = counts.get(word, 0) + 1
    highest = max(outcomes, key=lambda outcome: outcome.peak_mib)
    slowest = max(outcomes, key=lambda outcome: outcome.cpu)
    totals = ", ".join(f"{count} {word}" for word, count in sorted(counts.items())) or "all ok"
    print(
        f"{len(outcomes)} sites: {totals}; highest peak {highest.peak_mib:.0f} MiB ({highest.name}), most processor time"
        f" {slowest.cpu:.1f} s ({slowest.name}), {sum(outcome.seconds for outcome in outcomes):.0f} s in all"
    )
    return 1 if bad else 0
