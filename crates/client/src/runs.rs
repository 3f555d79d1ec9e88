//! Runs.

use api_types::run::{Run, RunList, RunStatus};
use api_types::start_audit::{StartAuditRequest, StartAuditResponse};

use crate::call::Call;
use crate::{Client, Error, Reply};

/// A request to audit the site of a URL with default options.
#[must_use]
pub fn start(url: &str) -> StartAuditRequest {
    StartAuditRequest {
        url: url.to_owned(),
        ..StartAuditRequest::default()
    }
}

impl Client {
    /// Starts an audit, with an idempotency key.
    ///
    /// # Errors
    /// When the server returns an error or is unreachable.
    pub async fn start_audit(
        &self,
        request: &StartAuditRequest,
    ) -> Result<Reply<StartAuditResponse>, Error> {
        let call = Call::post(&["start-audit"]).json(request)?.once();
        self.call(call).await
    }

    /// A run in its current state.
    ///
    /// # Errors
    /// When the server returns an error or is unreachable.
    pub async fn run(&self, run: &str) -> Result<Reply<Run>, Error> {
        self.call(Call::get(&["runs", run])).await
    }

    /// A page of the runs, newest first.
    ///
    /// # Errors
    /// When the server returns an error or is unreachable.
    pub async fn runs(
        &self,
        site: Option<&str>,
        status: &[RunStatus],
        limit: Option<u32>,
        cursor: Option<&str>,
    ) -> Result<Reply<RunList>, Error> {
        let call = Call::get(&["runs"])
            .with("siteId", site.map(str::to_owned))
            .with("status", crate::call::listed(status)?)
            .with("limit", limit.map(|limit| limit.to_string()))
            .with("cursor", cursor.map(str::to_owned));
        self.call(call).await
    }

    /// Cancels a run that has not ended.
    ///
    /// # Errors
    /// When the server returns an error or is unreachable.
    pub async fn cancel_run(&self, run: &str) -> Result<Reply<Run>, Error> {
        self.call(Call::post(&["runs", run, "cancel"]).once()).await
    }
}
