//! The events of a run, for pages with script.

use std::sync::Arc;
use std::time::Duration;

use domain::id::{OrgId, RunId};
use httpkit::rate_limits::StreamHolder;
use httpkit::run_events::{Look, ReadRun, RunWatch};

use super::Progress;
use crate::failure::Failure;
use crate::reply::Reply;
use crate::visit::Visit;

/// How long a page waits before it tries again when there is no stream for it.
const RETRY: Duration = Duration::from_secs(5);

/// The events of a run: its [`Progress`], until it ends or the session does.
pub(super) fn watch(visit: &Visit) -> Result<Reply, Failure> {
    let run = super::run(visit)?;
    let signed_in = visit.signed_in()?;
    let holder = StreamHolder::Session(signed_in.session.id.clone());
    let rate_limits = &visit.state.rate_limits;
    let permit = rate_limits.stream(visit.org()?, &holder);
    let clock = Arc::clone(&visit.state.clock);
    Ok(Reply::events(RunWatch {
        read: read(visit, run.id.clone(), run.org_id.clone())?,
        run,
        data: Arc::new(move |run| Progress::new(run, clock.now()).event()),
        clock: Arc::clone(&visit.state.clock),
        rate_limits: rate_limits.clone(),
        permit: permit.ok_or(Failure::TooMany(RETRY))?,
    }))
}

/// Reads the run as long as the session works in its organization. A page that is left open does not count as a use of
/// the session.
fn read(visit: &Visit, run: RunId, org: OrgId) -> Result<ReadRun, Failure> {
    let (state, token) = (visit.state.clone(), visit.token()?.hash());
    Ok(Arc::new(move || {
        let now = state.clock.now();
        let lifetime = state.settings.lifetime;
        let found = state.stores.session_by_hash(&token)?;
        let may_see = found.is_some_and(|found| {
            found.session.org_id == org && lifetime.is_alive(&found.session, now)
        });
        if !may_see {
            return Ok(Look::Denied);
        }
        let found = state.stores.run(&org, &run)?;
        Ok(found.map_or(Look::Removed, |run| Look::Run(Box::new(run))))
    }))
}
