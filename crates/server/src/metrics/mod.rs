//! Metrics and their exposition at `/metrics`.
//!
//! Events are counted where they happen, with the macros of `metrics`, which are nearly free while metrics are off.
//! Other values are read at scrape time.

mod exposition;
mod listener;
mod process;
pub(crate) mod table;

use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use chrono::{DateTime, Utc};
use domain::FailureCode;
use domain::ports::{Clock, JobKind, Reaped, RetentionStore};
use domain::schedule::SkipReason;
use domain::usecase::{AttemptEnd, SweepReport};
use httpkit::measure::{Answered, Meter};
use httpkit::problem::Limit;
use metrics::{counter, histogram};
use metrics_exporter_prometheus::{Matcher, PrometheusBuilder, PrometheusHandle};
use storage::Database;

use crate::config::Token;
use exposition::Exposition;
pub(crate) use listener::Listener;
use table::{Kind, MEASURES};

/// Interval of metrics upkeep, which bounds the memory used while nothing scrapes the metrics.
pub(crate) const UPKEEP: Duration = Duration::from_secs(5);

/// Histogram buckets of HTTP requests in seconds: from a cached page to a busy database.
const HTTP_SECONDS: &[f64] = &[
    0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0,
];
/// Histogram buckets of requests to sites in seconds.
const FETCH_SECONDS: &[f64] = &[
    0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0,
];
/// Histogram buckets of runs in seconds, up to the default deadline.
const RUN_SECONDS: &[f64] = &[0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0, 120.0, 300.0, 600.0];

/// The metrics of the serving process.
pub(crate) struct Meters {
    handle: PrometheusHandle,
    token: Option<Token>,
    database: Database,
    clock: Arc<dyn Clock>,
    since: DateTime<Utc>,
    variant: &'static str,
}

impl Meters {
    /// Installs the metrics of this process. Without a token the API grants access to no client.
    ///
    /// # Errors
    /// If a metrics recorder is already installed.
    pub(crate) fn install(
        token: Option<Token>,
        database: Database,
        clock: Arc<dyn Clock>,
        variant: &'static str,
    ) -> Result<Self> {
        let recorder = builder()?.build_recorder();
        let handle = recorder.handle();
        metrics::set_global_recorder(recorder)
            .context("a metrics recorder is already installed")?;
        begin();
        Ok(Self {
            handle,
            token,
            database,
            since: clock.now(),
            clock,
            variant,
        })
    }

    /// Runs the upkeep of histograms; must be called every [`UPKEEP`].
    pub(crate) fn run_upkeep(&self) {
        self.handle.run_upkeep();
    }
}

impl Meter for Meters {
    fn answered(&self, answered: &Answered<'_>) {
        let (method, route) = (answered.method, answered.route.to_owned());
        let status = answered.status.to_string();
        counter!(table::HTTP_REQUESTS, "method" => method, "route" => route.clone(), "status" => status)
            .increment(1);
        histogram!(table::HTTP_DURATION, "method" => method, "route" => route)
            .record(answered.took.as_secs_f64());
    }

    fn refused(&self, limit: Limit) {
        counter!(table::HTTP_REFUSED, "limit" => limit.as_str()).increment(1);
    }

    fn run_cancelled(&self) {
        counter!(table::RUNS_ENDED, "status" => "cancelled").increment(1);
    }

    fn admits(&self, token: &str) -> bool {
        self.token.as_ref().is_some_and(|known| known.is(token))
    }

    fn page(&self) -> String {
        let mut out = Exposition::new(self.handle.render());
        out.one(
            table::BUILD_INFO,
            &[
                ("version", env!("CARGO_PKG_VERSION")),
                ("database", database_name(&self.database)),
                ("variant", self.variant),
            ],
            1.0,
        );
        self.queue(&mut out);
        self.backups(&mut out);
        self.pool(&mut out);
        out.one(
            table::LOG_LINES_DROPPED,
            &[],
            float(crate::logging::dropped_lines()),
        );
        process::measure(&mut out);
        let since = Duration::from_millis(self.since.timestamp_millis().unsigned_abs());
        out.one(table::PROCESS_START, &[], since.as_secs_f64());
        out.finish()
    }
}

impl Meters {
    fn queue(&self, out: &mut Exposition) {
        // An unavailable database is reported as such; all other metrics are still reported.
        let depth = self.database.queue_depth();
        out.one(
            table::DATABASE_UP,
            &[],
            if depth.is_ok() { 1.0 } else { 0.0 },
        );
        let Ok(depth) = depth else { return };
        let waited = depth.oldest_waiting.map_or(0.0, |queued_at| {
            let waited = (self.clock.now() - queued_at).to_std();
            waited.unwrap_or_default().as_secs_f64()
        });
        out.one(table::QUEUE_WAITING, &[], float(depth.waiting));
        out.one(table::QUEUE_RUNNING, &[], float(depth.running));
        out.one(table::QUEUE_OLDEST, &[], waited);
        out.one(table::QUEUE_BRIEFS, &[], float(depth.briefs_waiting));
    }

    fn backups(&self, out: &mut Exposition) {
        let Ok(state) = self.database.backup_state() else {
            return;
        };
        let failures = state.failure.map_or(0, |failure| failure.count);
        out.one(table::BACKUP_FAILURES, &[], f64::from(failures));
        // Without a backup its age is infinite, so that an alert on old backups needs no second rule.
        let age = state.good.as_ref().map_or(f64::INFINITY, |good| {
            let age = (self.clock.now() - good.at).to_std();
            age.unwrap_or_default().as_secs_f64()
        });
        out.one(table::BACKUP_GOOD_AGE, &[], age);
        let bytes = state.good.map_or(0, |good| good.size_bytes);
        out.one(table::BACKUP_GOOD_BYTES, &[], float(bytes));
    }

    fn pool(&self, out: &mut Exposition) {
        let pool = self.database.pool();
        let in_use = pool.open.saturating_sub(pool.idle);
        out.many(
            table::DATABASE_CONNECTIONS,
            &[
                (&[("state", "in_use")], in_use.into()),
                (&[("state", "idle")], pool.idle.into()),
            ],
        );
        out.one(table::DATABASE_MAX, &[], pool.max.into());
        out.one(table::DATABASE_WAITS, &[], float(pool.waits));
        out.one(table::DATABASE_WAITED, &[], pool.waited.as_secs_f64());
        out.one(table::DATABASE_TIMEOUTS, &[], float(pool.timeouts));
    }
}

fn database_name(database: &Database) -> &'static str {
    if database.is_sqlite() {
        "sqlite"
    } else {
        "postgresql"
    }
}

/// Counts are far below 2^53, the largest integer that a float represents exactly.
fn float(count: u64) -> f64 {
    let (high, low) = (count >> 32, count & u64::from(u32::MAX));
    let part = |part: u64| u32::try_from(part).map_or(0.0, f64::from);
    part(high) * 4_294_967_296.0 + part(low)
}

fn builder() -> Result<PrometheusBuilder> {
    let mut builder = PrometheusBuilder::new();
    for (name, seconds) in [
        (table::HTTP_DURATION, HTTP_SECONDS),
        (table::FETCH_DURATION, FETCH_SECONDS),
        (table::RUN_DURATION, RUN_SECONDS),
    ] {
        builder = builder.set_buckets_for_metric(Matcher::Full(name.to_owned()), seconds)?;
    }
    Ok(builder)
}

/// Describes all metrics, and initializes counters to zero, so that the first event is visible as an increase.
fn begin() {
    for measure in MEASURES {
        match measure.kind {
            Kind::Counter => metrics::describe_counter!(measure.name, measure.help),
            Kind::Gauge => metrics::describe_gauge!(measure.name, measure.help),
            Kind::Histogram => metrics::describe_histogram!(measure.name, measure.help),
        }
    }
    for limit in Limit::ALL {
        counter!(table::HTTP_REFUSED, "limit" => limit.as_str()).increment(0);
    }
    for status in ["completed", "failed", "cancelled"] {
        counter!(table::RUNS_ENDED, "status" => status).increment(0);
    }
    for reason in ["past_deadline", "given_up"] {
        counter!(table::RUNS_REAPED, "reason" => reason).increment(0);
    }
    for reason in SkipReason::ALL {
        counter!(table::SCHEDULES_SKIPPED, "reason" => reason.as_str()).increment(0);
    }
    for kind in JobKind::IN_DUE_ORDER {
        for outcome in ["done", "failed"] {
            counter!(table::JOBS, "kind" => kind.as_str(), "outcome" => outcome).increment(0);
        }
    }
    for outcome in ["good", "failed"] {
        counter!(table::BACKUPS, "outcome" => outcome).increment(0);
    }
    for what in ["runs", "audit_lines", "answers", "events", "artifacts"] {
        retention_removed(what, 0);
    }
    for outcome in ["2xx", "3xx", "4xx", "5xx", "other", "error"] {
        counter!(table::FETCHES, "outcome" => outcome).increment(0);
    }
    for code in domain::FailureCode::ALL {
        counter!(table::RUN_FAILURES, "code" => code.as_str()).increment(0);
    }
    for name in [
        table::RUNS_REQUEUED,
        table::RUNS_HANDED_BACK,
        table::RUNS_LOST,
        table::PAGES,
        table::RENDERED,
        table::PICTURELESS,
        table::FETCHED_BYTES,
    ] {
        counter!(name).increment(0);
    }
}

/// Counts an attempt that ended.
pub(crate) fn attempt_ended(end: AttemptEnd, error: Option<FailureCode>, began: Instant) {
    let status = match end {
        AttemptEnd::Completed => "completed",
        AttemptEnd::Failed => "failed",
        AttemptEnd::HandedBack => {
            for name in [table::RUNS_REQUEUED, table::RUNS_HANDED_BACK] {
                counter!(name).increment(1);
            }
            return;
        }
        AttemptEnd::Lost => return counter!(table::RUNS_LOST).increment(1),
    };
    counter!(table::RUNS_ENDED, "status" => status).increment(1);
    histogram!(table::RUN_DURATION, "status" => status).record(began.elapsed().as_secs_f64());
    if let Some(code) = error {
        counter!(table::RUN_FAILURES, "code" => code.as_str()).increment(1);
    }
}

/// Counts runs that the reaper ended.
pub(crate) fn reaped(reaped: Reaped) {
    let all = reaped.past_deadline + reaped.given_up;
    counter!(table::RUNS_REAPED, "reason" => "past_deadline").increment(reaped.past_deadline);
    counter!(table::RUNS_REAPED, "reason" => "given_up").increment(reaped.given_up);
    counter!(table::RUNS_ENDED, "status" => "failed").increment(all);
}

/// Counts a due time of a schedule at which no run was started.
pub(crate) fn schedule_skipped(reason: SkipReason) {
    counter!(table::SCHEDULES_SKIPPED, "reason" => reason.as_str()).increment(1);
}

/// Counts what a retention sweep deleted.
pub(crate) fn swept(report: &SweepReport) {
    for (what, count) in [
        ("runs", report.runs),
        ("audit_lines", report.audit_lines),
        ("answers", report.answers),
        ("events", report.events),
        ("artifacts", report.artifacts),
    ] {
        retention_removed(what, count);
    }
}

/// Counts deleted rows, under the former name of the metric too.
fn retention_removed(what: &'static str, count: u64) {
    for name in [table::RETENTION_REMOVED, table::HOUSEKEEPING_REMOVED] {
        counter!(name, "what" => what).increment(count);
    }
}

/// Counts an attempt at a job that is not a run.
pub(crate) fn job_ended(kind: JobKind, is_ok: bool) {
    let outcome = if is_ok { "done" } else { "failed" };
    counter!(table::JOBS, "kind" => kind.as_str(), "outcome" => outcome).increment(1);
}

/// Counts a backup that ended.
pub(crate) fn backup_ended(is_good: bool) {
    let outcome = if is_good { "good" } else { "failed" };
    counter!(table::BACKUPS, "outcome" => outcome).increment(1);
}

/// Registers a background task with zero failures.
pub(crate) fn task_started(task: &'static str) {
    for reason in ["error", "panic"] {
        counter!(table::TASK_FAILURES, "task" => task, "reason" => reason).increment(0);
    }
}

/// Counts a failed step of a background task.
pub(crate) fn task_failed(task: &'static str) {
    counter!(table::TASK_FAILURES, "task" => task, "reason" => "error").increment(1);
}

/// Counts a panic of a background task.
pub(crate) fn task_panicked(task: &'static str) {
    counter!(table::TASK_FAILURES, "task" => task, "reason" => "panic").increment(1);
}

/// Counts pages.
pub(crate) fn pages_audited(count: u64) {
    counter!(table::PAGES).increment(count);
}

/// Counts pages that a browser rendered.
pub(crate) fn pages_rendered(count: u64) {
    counter!(table::RENDERED).increment(count);
}

/// Counts a run whose pictures could not be stored.
pub(crate) fn artifacts_not_stored() {
    counter!(table::PICTURELESS).increment(1);
}

/// Counts a request to a site.
pub(crate) fn fetched(outcome: &'static str, bytes: u64, took: Duration) {
    counter!(table::FETCHES, "outcome" => outcome).increment(1);
    counter!(table::FETCHED_BYTES).increment(bytes);
    histogram!(table::FETCH_DURATION).record(took.as_secs_f64());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_exposed_unchanged() {
        for (count, expected) in [(0, 0.0), (7, 7.0), (1 << 40, 1_099_511_627_776.0)] {
            assert!((float(count) - expected).abs() < 0.5);
        }
    }

    #[test]
    fn counters_are_exposed_under_their_own_name() {
        let recorder = builder().unwrap().build_recorder();
        let text = metrics::with_local_recorder(&recorder, || {
            begin();
            let code = FailureCode::Internal;
            attempt_ended(AttemptEnd::Failed, Some(code), Instant::now());
            attempt_ended(AttemptEnd::Completed, None, Instant::now());
            attempt_ended(AttemptEnd::Lost, None, Instant::now());
            fetched("2xx", 100, Duration::from_millis(7));
            pages_audited(3);
            pages_rendered(2);
            recorder.handle().render()
        });
        for line in [
            "assay_runs_ended_total{status=\"failed\"} 1",
            "assay_runs_ended_total{status=\"completed\"} 1",
            "assay_runs_ended_total{status=\"cancelled\"} 0",
            "assay_run_failures_total{code=\"internal\"} 1",
            "assay_run_failures_total{code=\"blocked\"} 0",
            "assay_run_duration_seconds_count{status=\"failed\"} 1",
            "assay_runs_lost_total 1",
            "assay_fetches_total{outcome=\"2xx\"} 1",
            "assay_fetch_duration_seconds_bucket{le=\"0.01\"} 1",
            "assay_fetched_bytes_total 100",
            "assay_pages_audited_total 3",
            "assay_pages_rendered_total 2",
            "# TYPE assay_pages_audited_total counter",
        ] {
            assert!(text.lines().any(|known| known == line), "{line}: {text}");
        }
    }
}
