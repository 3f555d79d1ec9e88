//! The list of all metrics, from which the exposition and the documentation are generated.

/// The type of a metric.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Only increases while the process runs.
    Counter,
    /// Goes up and down.
    Gauge,
    /// Counts values by bucket.
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

/// A metric.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Measure {
    pub(crate) name: &'static str,
    pub(crate) kind: Kind,
    /// Its labels, each with a description of its values.
    #[cfg_attr(
        not(test),
        expect(dead_code, reason = "the documentation is generated from it")
    )]
    pub(crate) labels: &'static [(&'static str, &'static str)],
    /// The description, one or two sentences.
    pub(crate) help: &'static str,
}

/// Defines metrics with constants for their names.
macro_rules! measures {
    ($($constant:ident $kind:ident $name:literal [$($label:literal: $values:literal),*] $help:literal;)+) => {
        $(pub(crate) const $constant: &str = $name;)+

        /// All metrics, in the order in which they are documented.
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
        "HTTP requests that got a response.";
    HTTP_DURATION Histogram "assay_http_request_duration_seconds"
        ["method": "as above", "route": "as above"]
        "Time from a request to its response headers. An event stream counts until it begins.";
    HTTP_REFUSED Counter "assay_http_refused_total"
        ["limit": "`connections`, `address_rate`, `address_calls`, `rate_of_key`, `calls`, `agent_calls`, `reports`, `exports`, `streams`"]
        "Requests and connections rejected with 429, by the exceeded limit.";
    QUEUE_WAITING Gauge "assay_queue_waiting_runs" []
        "Queued runs that wait for a worker, of all processes on the database.";
    QUEUE_RUNNING Gauge "assay_queue_running_runs" []
        "Runs that a worker has claimed, of all processes on the database.";
    QUEUE_OLDEST Gauge "assay_queue_oldest_waiting_seconds" []
        "Waiting time of the oldest queued run; 0 if the queue is empty.";
    QUEUE_BRIEFS Gauge "assay_queue_waiting_briefs" []
        "Queued briefs, of all processes on the database.";
    RUNS_ENDED Counter "assay_runs_ended_total"
        ["status": "`completed`, `failed`, `cancelled`"]
        "Runs that this process ended. Runs deleted together with their site do not count.";
    RUN_FAILURES Counter "assay_run_failures_total"
        ["code": "a code of a run's `error`"]
        "Runs that this process ended as failed, by error code.";
    RUN_DURATION Histogram "assay_run_duration_seconds"
        ["status": "`completed`, `failed`"]
        "Time from the claim of a run to its end, for the attempt that ended it.";
    RUNS_REQUEUED Counter "assay_runs_requeued_total" []
        "Runs that were requeued because this process stopped.";
    RUNS_HANDED_BACK Counter "assay_runs_handed_back_total" []
        "Former name of `assay_runs_requeued_total`. The next release removes it.";
    RUNS_LOST Counter "assay_runs_lost_total" []
        "Runs whose lease this process lost: taken over, cancelled or removed during the audit.";
    RUNS_REAPED Counter "assay_runs_reaped_total"
        ["reason": "`past_deadline`, `given_up`"]
        "Runs that the reaper of this process ended because their workers did not.";
    PAGES Counter "assay_pages_audited_total" []
        "Audited pages; the rate of this counter is pages per second.";
    RENDERED Counter "assay_pages_rendered_total" []
        "Audited pages that a browser rendered, counted at the end of their run.";
    PICTURELESS Counter "assay_runs_without_stored_pictures_total" []
        "Runs whose pictures could not be stored, so that they completed without them.";
    FETCHES Counter "assay_fetches_total"
        ["outcome": "`2xx`, `3xx`, `4xx`, `5xx`, `other`, `error` (no response)"]
        "HTTP requests of audits to sites.";
    FETCH_DURATION Histogram "assay_fetch_duration_seconds" []
        "Duration of an audit's HTTP request, without the time that it waited for the host's rate limit.";
    FETCHED_BYTES Counter "assay_fetched_bytes_total" []
        "Response body bytes received from sites, as transferred (before decompression).";
    SCHEDULES_SKIPPED Counter "assay_schedules_skipped_total"
        ["reason": "`monthly_run_limit_hit`, `payment_required`, `run_under_way`, `target_not_allowed`, `options_not_allowed`"]
        "Scheduled times at which this process started no run, including repeated skips that are not reported again.";
    DATABASE_UP Gauge "assay_database_up" []
        "1 if the database responded while these metrics were collected, else 0.";
    DATABASE_CONNECTIONS Gauge "assay_database_connections"
        ["state": "`in_use`, `idle`"]
        "Open database connections of this process.";
    DATABASE_MAX Gauge "assay_database_connections_max" []
        "Maximum number of database connections of this process.";
    DATABASE_WAITS Counter "assay_database_waits_total" []
        "How often a caller waited for a database connection.";
    DATABASE_WAITED Counter "assay_database_wait_seconds_total" []
        "Total time that callers waited for a database connection.";
    DATABASE_TIMEOUTS Counter "assay_database_wait_timeouts_total" []
        "How often waiting for a database connection timed out.";
    RETENTION_REMOVED Counter "assay_retention_removed_total"
        ["what": "`runs`, `audit_lines`, `answers`, `events`, `artifacts`"]
        "Runs, audit log lines, stored responses, events and pictures that retention sweeps of this process deleted.";
    HOUSEKEEPING_REMOVED Counter "assay_housekeeping_removed_total"
        ["what": "as above"]
        "Former name of `assay_retention_removed_total`. The next release removes it.";
    JOBS Counter "assay_jobs_total"
        ["kind": "`brief`, `schedule`, `retention`", "outcome": "`done`, `failed` (it is retried)"]
        "Attempts at queue jobs by this process, without runs and webhook deliveries.";
    BACKUPS Counter "assay_backups_total"
        ["outcome": "`good`, `failed`"]
        "Attempts of this process to make a scheduled backup.";
    BACKUP_GOOD_AGE Gauge "assay_backup_last_good_age_seconds" []
        "Age of the last good scheduled backup of the database; `+Inf` without one.";
    BACKUP_GOOD_BYTES Gauge "assay_backup_last_good_size_bytes" []
        "Size of the last good scheduled backup; 0 without one.";
    BACKUP_FAILURES Gauge "assay_backup_failures_since_last_good" []
        "Scheduled backups that failed since the last good one, in all processes on the database.";
    TASK_FAILURES Counter "assay_background_failures_total"
        ["task": "the name of the task, as in the log", "reason": "`error`, `panic`"]
        "Failed steps of background tasks of this process. Each task continues.";
    LOG_LINES_DROPPED Counter "assay_log_lines_dropped_total" []
        "Log lines that this process dropped because the reader of its standard error was too slow or closed.";
    BUILD_INFO Gauge "assay_build_info"
        ["version": "the version", "database": "`sqlite`, `postgresql`", "variant": "`current`, `legacy`"]
        "Always 1; the labels describe the running build.";
    PROCESS_MEMORY Gauge "process_resident_memory_bytes" []
        "Resident memory of the process. On Linux.";
    PROCESS_CPU Counter "process_cpu_seconds_total" []
        "CPU time used by the process. On Linux.";
    PROCESS_FILES Gauge "process_open_fds" []
        "Open files and sockets of the process. On Linux.";
    PROCESS_MAX_FILES Gauge "process_max_fds" []
        "Maximum number of open files and sockets of the process.";
    PROCESS_START Gauge "process_start_time_seconds" []
        "Unix time at which the process started to collect metrics, in seconds.";
}

/// The table for the documentation.
#[cfg(test)]
pub(crate) fn as_markdown() -> String {
    let mut out = String::from("| name | type | labels | meaning |\n| --- | --- | --- | --- |\n");
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
    const BEGIN: &str = "<!-- Generated from crates/server/src/metrics/table.rs: `UPDATE_DOCS=1 cargo test -p server metrics` updates it. -->\n";
    const END: &str = "<!-- End of the generated table. -->\n";

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
