//! `assay start`.

use std::time::Duration;

use anyhow::Result;
use api_types::run::Run;
use api_types::start_audit::{StartAuditOptions, StartAuditRequest};
use chrono::DateTime;
use domain::target::complete_url;

use super::session::Session;
use super::{reports, wait};
use crate::args::StartArgs;
use crate::audit::address;
use crate::exit::Exit;
use crate::output::{print_error, write_note};

/// Why an address has no credentials.
const CREDENTIALS: &str =
    "The service audits pages that need none; `assay audit` has --basic-auth.";

pub(super) async fn start(session: &Session, args: &StartArgs) -> Result<Exit> {
    if let Some(problem) = address::problem(&args.url, CREDENTIALS) {
        print_error(Some("invalid_request"), &problem);
        return Ok(Exit::Usage);
    }
    let site_id = match &args.site {
        Some(site) => Some(session.site_id(site).await?),
        None => None,
    };
    let request = StartAuditRequest {
        url: complete_url(&args.url).into_owned(),
        site_id,
        options: options(args),
    };
    let started = session.client.start_audit(&request).await?;
    let run = &started.value.run_id;
    if !args.wait {
        session.print(&started, |started| format!("{}\n", started.run_id))?;
        if !session.json {
            write_note(&format!(
                "The run is queued. Wait for it with `assay runs show {run} --wait`."
            ));
        }
        return Ok(Exit::Fine);
    }
    write_note(&format!("Run {run} is queued."));
    let Some(ended) = wait::wait(session, run).await? else {
        return Ok(Exit::CouldNotRun);
    };
    let exit = wait::exit_status(&ended.value);
    let Some(report) = &ended.value.report_id else {
        if session.json {
            session.print(&ended, |_| String::new())?;
        }
        return Ok(exit);
    };
    let report = session.client.report(report).await?;
    let took = took(&ended.value);
    session.print(&report, |report| reports::scores(report, took))?;
    let score = report.value.overall_score;
    if let Some(least) = args.fail_under.filter(|least| score < *least) {
        print_error(
            None,
            &format!("the overall score is {score}, below {least}"),
        );
        return Ok(Exit::GateFailed);
    }
    Ok(exit)
}

/// How long a run took, if it has ended.
fn took(run: &Run) -> Option<Duration> {
    let time = |time: &Option<String>| DateTime::parse_from_rfc3339(time.as_deref()?).ok();
    let took = time(&run.finished_at)? - time(&run.started_at)?;
    took.to_std().ok()
}

/// The audit options of the arguments; `None` if there are none.
fn options(args: &StartArgs) -> Option<StartAuditOptions> {
    let given = |patterns: &[String]| (!patterns.is_empty()).then(|| patterns.to_vec());
    let options = StartAuditOptions {
        max_pages: args.max_pages,
        max_depth: args.max_depth,
        mode: args.mode.map(Into::into),
        device: args.device.map(Into::into),
        include: given(&args.include),
        exclude: given(&args.exclude),
        ..StartAuditOptions::default()
    };
    (options != StartAuditOptions::default()).then_some(options)
}
