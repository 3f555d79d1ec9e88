//! `assay invariants`.

use anyhow::{Context, Result};
use cli::{Exit, InvariantsArgs, write_data, write_note};
use domain::id::RunId;
use domain::ports::Clock;
use serde_json::json;
use storage::{Expected, Violation};

use super::{flags, print_json};
use crate::database;
use crate::sources::SystemClock;

/// Checks the invariants of a database; exits with 1 if one is violated.
pub(crate) fn invariants(args: &InvariantsArgs) -> Exit {
    let list = &args.list;
    crate::with_settings(&list.database.config, flags(&list.database), |settings| {
        let expected = Expected {
            runs: expected_runs(args)?,
            at_rest: args.at_rest,
        };
        let database = database::open_unchanged(&settings.service)?;
        let violations = database.violations(&expected, SystemClock.now())?;
        print(&violations, list.json)?;
        Ok(match violations.is_empty() {
            true => Exit::Fine,
            false => Exit::GateFailed,
        })
    })
}

/// Reads the ids of runs whose creation was confirmed to a client.
fn expected_runs(args: &InvariantsArgs) -> Result<Vec<RunId>> {
    if args.told.is_some() {
        write_note("--told is deprecated: use --expected-runs");
    }
    let Some(file) = args.expected_runs.as_ref().or(args.told.as_ref()) else {
        return Ok(Vec::new());
    };
    let text = std::fs::read_to_string(file).with_context(|| file.display().to_string())?;
    text.lines()
        .filter(|line| !line.trim().is_empty())
        .map(|line| RunId::parse(line.trim()).with_context(|| format!("{line:?} is not a run id")))
        .collect()
}

fn print(violations: &[Violation], as_json: bool) -> Result<()> {
    if as_json {
        let found: Vec<_> = violations
            .iter()
            .map(|violation| json!({ "what": violation.what, "places": violation.places }))
            .collect();
        print_json(&json!({ "violations": found }))?;
        return Ok(());
    }
    for violation in violations {
        write_data(&format!("violation: {violation}\n"))?;
    }
    if violations.is_empty() {
        write_note("no violations");
    }
    Ok(())
}
