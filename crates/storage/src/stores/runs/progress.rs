//! Progress of a run.

use diesel::prelude::*;
use domain::ports::Claim;
use domain::run::RunProgress;

use crate::database::connection::AnyConnection;
use crate::database::error::StorageError;
use crate::database::schema::runs;
use crate::database::values::stored_count;

/// Stores the progress of a claimed run.
pub(crate) fn store(
    connection: &mut AnyConnection,
    claim: &Claim,
    progress: &RunProgress,
) -> Result<(), StorageError> {
    diesel::update(runs::table.find(claim.run_id.as_str()))
        .set((
            runs::phase.eq(progress.phase.as_str()),
            runs::pages_discovered.eq(stored_count(progress.pages_discovered)),
            runs::pages_fetched.eq(stored_count(progress.pages_fetched)),
            runs::pages_audited.eq(stored_count(progress.pages_audited)),
            runs::pages_rendered.eq(stored_count(progress.pages_rendered)),
            runs::pages_measured.eq(progress.pages_measured.map(stored_count)),
            runs::seconds_left.eq(progress.seconds_left.map(stored_count)),
            runs::percent.eq(i64::from(progress.percent)),
        ))
        .execute(connection)?;
    Ok(())
}
