//! Runs, looked up.

use diesel::prelude::*;
use domain::id::{OrgId, RunId};
use domain::ports::{NewRun, RunStore, StartRunError, StartedRun, StoreError};
use domain::run::{Device, Mode, Run, RunOptions};
use serde::{Deserialize, Serialize};

use crate::database::Database;
use crate::error::Fault;
use crate::rows::RunRow;
use crate::schema::{reports, runs};
use crate::start_run::start_run;
use crate::values::{from_json, known, to_json};

impl RunStore for Database {
    fn start_run(&self, org: &OrgId, run: &NewRun) -> Result<StartedRun, StartRunError> {
        self.write(|connection| start_run(connection, org, run))?
    }

    fn run(&self, org: &OrgId, run: &RunId) -> Result<Option<Run>, StoreError> {
        Ok(self.read(|connection| {
            let found: Option<(RunRow, Option<String>)> = runs::table
                .left_join(reports::table.on(reports::run_id.eq(runs::id)))
                .filter(runs::id.eq(run.as_str()))
                .filter(runs::org_id.eq(org.as_str()))
                .select((RunRow::as_select(), reports::id.nullable()))
                .first(connection)
                .optional()?;
            found
                .map(|(run, report_id)| run.read(report_id.as_deref()))
                .transpose()
        })?)
    }
}

/// Options as they are stored.
#[derive(Serialize, Deserialize)]
struct StoredOptions {
    max_pages: u32,
    max_depth: Option<u32>,
    mode: String,
    device: String,
    include: Vec<String>,
    exclude: Vec<String>,
}

pub(crate) fn options_to_json(options: &RunOptions) -> Result<String, Fault> {
    to_json(&StoredOptions {
        max_pages: options.max_pages,
        max_depth: options.max_depth,
        mode: options.mode.as_str().to_owned(),
        device: options.device.as_str().to_owned(),
        include: options.include.clone(),
        exclude: options.exclude.clone(),
    })
}

pub(crate) fn options_from_json(stored: &str) -> Result<RunOptions, Fault> {
    let stored: StoredOptions = from_json("options", stored)?;
    Ok(RunOptions {
        max_pages: stored.max_pages,
        max_depth: stored.max_depth,
        mode: known("mode", &stored.mode, Mode::named(&stored.mode))?,
        device: known("device", &stored.device, Device::named(&stored.device))?,
        include: stored.include,
        exclude: stored.exclude,
    })
}
