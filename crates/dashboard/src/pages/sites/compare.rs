//! Two audits of a site that a person chose in its history.

use domain::id::{ReportId, SiteId};

use crate::failure::Failure;
use crate::reply::Reply;
use crate::visit::Visit;

/// Shows what changed between the two audits that the form of the history chose.
pub(super) fn choose(visit: &Visit) -> Result<Reply, Failure> {
    let id = visit.id("id", SiteId::parse)?;
    let schedule = visit.state.stores.schedule(visit.org()?, &id)?;
    schedule.ok_or(Failure::NotFound)?;
    let (Some(before), Some(after)) = (visit.query.given("before"), visit.query.given("after"))
    else {
        return Err(Failure::BadRequest(
            "Choose two audits in the history of the site, one before and one after.",
        ));
    };
    let report = |text| ReportId::parse(text).ok_or(Failure::NotFound);
    let (before, after) = (report(before)?, report(after)?);
    Ok(Reply::redirect(format!(
        "/reports/{after}/compare/{before}"
    )))
}
