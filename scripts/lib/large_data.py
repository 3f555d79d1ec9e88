"""Large data for benchmarks and tests: one real audit, copied by SQL under other ids."""

import contextlib
import pathlib
import sqlite3
import typing

from faults import ROOT


class Database:
    """SQL that both databases take."""

    def __init__(self, home):
        self.home = home
        self.is_postgres = bool(home.url)

    def execute(self, *statements):
        if self.is_postgres:
            for statement in statements:
                self.home.psql(statement)
            return
        file = f"{self.home.folder}/data/assay.db"
        with contextlib.closing(sqlite3.connect(file, timeout=60)) as connection, connection:
            connection.execute("PRAGMA synchronous = OFF")
            for statement in statements:
                connection.execute(statement)

    def columns(self, table):
        if self.is_postgres:
            sql = f"SELECT column_name FROM information_schema.columns WHERE table_name = '{table}' ORDER BY ordinal_position"
            return [name for name, in self.home.rows(sql)]
        return [row[1] for row in self.home.rows(f"PRAGMA table_info({table})")]

    def id(self, prefix, stem, number):
        """An id whose last six digits are a number."""
        digits = f"upper(lpad(to_hex(({number})::int), 6, '0'))" if self.is_postgres else f"printf('%06X', {number})"
        return f"'{prefix}_{stem}' || {digits}"

    def earlier(self, column, hours):
        if self.is_postgres:
            return f"{column} - ({hours}) * interval '1 hour'"
        return f"strftime('%Y-%m-%d %H:%M:%f', {column}, '-' || ({hours}) || ' hours')"

    def numbers(self, last):
        if self.is_postgres:
            return f"(SELECT generate_series(1, {last}) AS n) AS numbers"
        return f"(WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < {last}) SELECT n FROM c) AS numbers"

    def copy(self, table, source, **values):
        """Inserts what `source` selects of a table (as `t`), with other values for some columns."""
        columns = [name for name in self.columns(table) if name != "seq"]
        selected = ", ".join(values.get(name, f"t.{name}") for name in columns)
        self.execute(f"INSERT INTO {table} ({', '.join(columns)}) SELECT {selected} FROM {source}")


class Amounts(typing.NamedTuple):
    """How much `seed` makes."""

    sites: int
    runs: int
    actions: int
    occurrences: int
    audit_log: int


def seed(database, run, report, site, amounts):
    """Copies a completed audit under other ids, until there is as much as wanted. A day passes between two runs of a site."""
    stem = run.removeprefix("run_")[:20]
    of_run = f"(SELECT * FROM {{}} WHERE run_id = '{run}') AS t"
    number = database.numbers(amounts.runs - 1)
    site_of = f"n % {amounts.sites}"
    # The first site is the one that was audited.
    site_id = f"CASE WHEN {site_of} = 0 THEN '{site}' ELSE {database.id('site', stem, site_of)} END"
    run_id, report_id = database.id("run", stem, "n"), database.id("rep", stem, "n")
    hours = f"1 + n / {amounts.sites} * 24 + {site_of} % 24"
    host = "'site-' || n || '.example'"
    database.copy("sites", f"sites AS t CROSS JOIN {database.numbers(amounts.sites - 1)}",
                  id=database.id("site", stem, "n"), host=host, name=host, url=f"'https://' || {host} || '/'")
    times = {name: database.earlier(f"t.{name}", hours) for name in ("created_at", "started_at", "finished_at")}
    database.copy("runs", f"(SELECT * FROM runs WHERE id = '{run}') AS t CROSS JOIN {number}", id=run_id, site_id=site_id, **times)
    database.copy("reports", f"{of_run.format('reports')} CROSS JOIN {number}", id=report_id, run_id=run_id, site_id=site_id,
                  created_at=times["created_at"], overall_score="50 + n % 50")
    # As many occurrences as the audit has, or somewhat fewer, in each report.
    most = amounts.occurrences // amounts.runs
    kept = (f"(SELECT * FROM (SELECT *, row_number() OVER (ORDER BY cause_position, ordinal) AS place FROM occurrences"
            f" WHERE run_id = '{run}') AS numbered WHERE place <= {most}) AS t")
    whole = ("causes", "pages", "page_orders", "link_targets", "folders", "redirect_chains")
    for table, source in (*((table, of_run.format(table)) for table in whole), ("occurrences", kept)):
        database.copy(table, f"{source} CROSS JOIN {number}", run_id=run_id)
    database.copy("issues", f"(SELECT * FROM issues WHERE report_id = '{report}') AS t CROSS JOIN {number}",
                  id=database.id("iss", stem, "n * 64 + t.position"), report_id=report_id, action_id="NULL")
    checks = sorted(file.stem for file in pathlib.Path(ROOT, "docs/checks").glob("*/*.md"))
    each = amounts.actions // amounts.sites
    listed = " UNION ALL ".join(f"SELECT {place} AS place, '{check}' AS named" for place, check in enumerate(checks[:each]))
    template = "(SELECT *, row_number() OVER (ORDER BY id) AS line FROM actions) AS t"
    lines = int(database.home.rows("SELECT count(*) FROM actions")[0][0])
    database.execute("UPDATE issues SET action_id = NULL")
    database.copy("actions", f"(SELECT * FROM {template} WHERE line <= {lines}) AS t CROSS JOIN ({listed}) AS checks"
                  f" CROSS JOIN {database.numbers(amounts.sites - 1)} WHERE t.line = 1 + checks.place % {lines}",
                  id=database.id("act", stem, "n * 64 + checks.place"), site_id=database.id("site", stem, "n"),
                  report_id=report_id, check_id="checks.named", priority="checks.place % 4",
                  created_at=database.earlier("t.created_at", "n % 700"))
    database.copy("audit_log", f"(SELECT * FROM audit_log ORDER BY seq LIMIT 1) AS t CROSS JOIN {database.numbers(amounts.audit_log)}",
                  event="CASE n % 3 WHEN 0 THEN 'sign_in.succeeded' WHEN 1 THEN 'run.started' ELSE 'action.updated' END")
    database.execute("UPDATE org_storage SET bytes = (SELECT sum(stored_bytes) FROM runs WHERE runs.org_id = org_storage.org_id)")
    if database.is_postgres:
        database.execute("ANALYZE")
