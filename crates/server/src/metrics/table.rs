//! Everything that is measured: the one list, which the exposition and the documentation are made of.

/// What kind of number it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Only rises while the process lives.
    Counter,
    /// Goes up and down.
    Gauge,
    /// Counts by size.
    Histogram,
}

impl Kind {
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Counter => "counter",
            Self::Gauge => "gauge",
            Self::Histogram => "histogram",
        }
    }
}

/// Something that is measured.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Measure {
    pub(crate) name: &'static str,
    pub(crate) kind: Kind,
    /// Its labels, each with what it may say.
    #[cfg_attr(
        not(test),
        expect(dead_code, reason = "the documentation is made of it")
    )]
    pub(crate) labels: &'static [(&'static str, &'static str)],
    /// A sentence.
    pub(crate) help: &'static str,
}

/// Measures with names that the code uses.
macro_rules! measures {
    ($($constant:ident $kind:ident $name:literal [$($label:literal: $values:literal),*] $help:literal;)+) => {
        $(pub(crate) const $constant: &str = $name;)+

        /// All measures, in the order in which they are documented.
        pub(crate) const MEASURES: &[Measure] = &[$(Measure {
            name: $name,
            kind: Kind::$kind,
            labels: &[$(($label, $values)),*],
            help: $help,
        },)+];
    };
}

measures! {
    HTTP_REQUESTS Counter "assay_http_requests_total"
        ["method": "`GET`, `POST`, …, `OTHER`", "route": "the template, such as `/api/mcp/runs/{runId}`; `unknown` for every other path", "status": "the status code"]
        "Requests that were answered.";
    HTTP_DURATION Histogram "assay_http_request_duration_seconds"
        ["method": "as above", "route": "as above"]
        "Time from a request to the head of its answer. A stream of events counts until it begins.";
    HTTP_REFUSED Counter "assay_http_refused_total"
        ["limit": "`connections`, `address_rate`, `address_calls`, `rate_of_key`, `calls`, `agent_calls`, `reports`, `exports`, `streams`"]
        "Requests, and connections, that were refused with 429, by the limit that they met.";
    QUEUE_WAITING Gauge "assay_queue_waiting_runs" []
        "Runs that wait for a worker, of all processes on the database.";
    QUEUE_RUNNING Gauge "assay_queue_running_runs" []
        "Runs that a worker has, of all processes on the database.";
    QUEUE_OLDEST Gauge "assay_queue_oldest_waiting_seconds" []
        "How long the run that has waited longest has waited; 0 where none waits.";
    QUEUE_BRIEFS Gauge "assay_queue_waiting_briefs" []
        "Briefs that wait to be written, of all processes on the database.";
    RUNS_ENDED Counter "assay_runs_ended_total"
        ["status": "`completed`, `failed`, `cancelled`"]
        "Runs that ended through this process. Runs that go with their site do not count.";
    RUN_FAILURES Counter "assay_run_failures_total"
        ["code": "a code of a run's `error`"]
        "Runs that failed through this process, by reason.";
    RUN_DURATION Histogram "assay_run_duration_seconds"
        ["status": "`completed`, `failed`"]
        "Time from the claim of a run to its end, of the attempt that ended it.";
    RUNS_HANDED_BACK Counter "assay_runs_handed_back_total" []
        "Runs that were handed back because this process stopped.";
    RUNS_LOST Counter "assay_runs_lost_total" []
        "Runs that were taken over, cancelled or removed while this process worked on them.";
    RUNS_REAPED Counter "assay_runs_reaped_total"
        ["reason": "`past_deadline`, `given_up`"]
        "Runs that this process ended because their workers did not.";
    PAGES Counter "assay_pages_audited_total" []
        "Pages that were audited; its rate is pages a second.";
    FETCHES Counter "assay_fetches_total"
        ["outcome": "`2xx`, `3xx`, `4xx`, `5xx`, `other`, `error` (no answer)"]
        "Requests of audits to sites.";
    FETCH_DURATION Histogram "assay_fetch_duration_seconds" []
        "Time of a request of an audit, its turn at the host awaited before.";
    FETCHED_BYTES Counter "assay_fetched_bytes_total" []
        "Bytes of bodies that sites sent, as they came over the wire.";
    SCHEDULES_SKIPPED Counter "assay_schedules_skipped_total"
        ["reason": "`monthly_run_limit_hit`, `payment_required`, `run_under_way`, `target_not_allowed`, `options_not_allowed`"]
        "Times of schedules at which this process started no run, also where that was told before.";
    DATABASE_UP Gauge "assay_database_up" []
        "1 where the database answered this very request for measurements, else 0.";
    DATABASE_CONNECTIONS Gauge "assay_database_connections"
        ["state": "`in_use`, `idle`"]
        "Open connections of this process to the database.";
    DATABASE_MAX Gauge "assay_database_connections_max" []
        "Connections that this process may open.";
    DATABASE_WAITS Counter "assay_database_waits_total" []
        "How often somebody waited for a connection.";
    DATABASE_WAITED Counter "assay_database_wait_seconds_total" []
        "How long connections were waited for, all together.";
    DATABASE_TIMEOUTS Counter "assay_database_wait_timeouts_total" []
        "How often a connection was waited for in vain.";
    RETENTION_REMOVED Counter "assay_housekeeping_removed_total"
        ["what": "`runs`, `audit_lines`, `answers`, `events`"]
        "What retention sweeps of this process deleted.";
    JOBS Counter "assay_jobs_total"
        ["kind": "`brief`, `schedule`, `retention`", "outcome": "`done`, `failed` (it is tried again)"]
        "Attempts at jobs of the queue by this process, without runs and deliveries.";
    TASK_FAILURES Counter "assay_background_failures_total"
        ["task": "the name of the task, as in the log", "reason": "`error`, `panic`"]
        "Steps of background tasks of this process that failed. Each task goes on.";
    LOG_LINES_DROPPED Counter "assay_log_lines_dropped_total" []
        "Log lines of this process that were dropped, because the reader of its standard error was too slow or gone.";
    BUILD_INFO Gauge "assay_build_info"
        ["version": "the version", "database": "`sqlite`, `postgresql`", "variant": "`current`, `legacy`"]
        "1, with what runs here in its labels.";
    PROCESS_MEMORY Gauge "process_resident_memory_bytes" []
        "Memory that the process has. On Linux.";
    PROCESS_CPU Counter "process_cpu_seconds_total" []
        "Processor time that the process used. On Linux.";
    PROCESS_FILES Gauge "process_open_fds" []
        "Files and sockets that the process has open. On Linux.";
    PROCESS_MAX_FILES Gauge "process_max_fds" []
        "Files and sockets that the process may have open.";
    PROCESS_START Gauge "process_start_time_seconds" []
        "When the process began to measure, in seconds since 1970.";
}

/// The table as the documentation has it.
#[cfg(test)]
pub(crate) fn as_markdown() -> String {
    let mut out =
        String::from("| name | kind | labels | what it is |\n| --- | --- | --- | --- |\n");
    for measure in MEASURES {
        let labels: Vec<String> = measure
            .labels
            .iter()
            .map(|(name, values)| format!("`{name}`: {values}"))
            .collect();
        out.push_str(&format!(
            "| `{}` | {} | {} | {} |\n",
            measure.name,
            measure.kind.name(),
            labels.join("<br>"),
            measure.help
        ));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: &str = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../docs/operations/metrics.md"
    );
    const BEGIN: &str = "<!-- Made of crates/server/src/metrics/table.rs; `UPDATE_DOCS=1 cargo test -p server metrics` writes it anew. -->\n";
    const END: &str = "<!-- Up to here. -->\n";

    #[test]
    fn the_documentation_has_this_table() {
        let page = std::fs::read_to_string(PAGE).unwrap();
        let (before, rest) = page.split_once(BEGIN).unwrap();
        let (_, after) = rest.split_once(END).unwrap();
        let expected = format!("{before}{BEGIN}\n{}\n{END}{after}", as_markdown());
        if std::env::var_os("UPDATE_DOCS").is_some() {
            std::fs::write(PAGE, expected).unwrap();
            return;
        }
        assert!(
            page == expected,
            "docs/operations/metrics.md lags behind its table"
        );
    }

    #[test]
    fn names_follow_the_conventions() {
        let mut names: Vec<&str> = MEASURES.iter().map(|measure| measure.name).collect();
        for measure in MEASURES {
            let name = measure.name;
            assert!(
                name.starts_with("assay_") || name.starts_with("process_"),
                "{name}"
            );
            assert_eq!(
                name.ends_with("_total"),
                measure.kind == Kind::Counter,
                "{name}"
            );
            assert!(measure.help.ends_with('.'), "{name}");
        }
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), MEASURES.len());
    }
}
