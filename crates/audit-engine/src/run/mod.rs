//! An audit from URL to result.

mod alternates;
mod budgets;
mod caps;
mod external;
mod failure;
mod phases;
mod probes;
mod resources;
mod sitemaps;
mod soft_404_probes;
mod start;
mod start_page_hints;
mod visits;

use std::sync::Arc;

use domain::FailureCode;
use domain::report::AuditResult;
use domain::target::{AllowTargets, gate_url};
use futures_util::FutureExt;
use url::Url;

pub use failure::AuditError;

use crate::address::without_fragment;
use crate::crawl::progress::{OnProgress, Progress};
use crate::egress::{EgressError, EgressOptions, GuardedFetcher, HostLimits, Limiter};
use crate::gather::Fetcher;
use crate::options::{AuditOptions, default_user_agent};
use crate::site::Site;

/// What an audit brought: the result that is scored, and the site it was judged by.
#[derive(Debug)]
pub struct Audit {
    /// Tallies, findings and coverage.
    pub result: AuditResult,
    /// The site as the crawl left it.
    pub site: Site,
}

/// Audits sites.
///
/// One auditor can audit many sites at once; what it asks of one host is limited across all of them.
pub struct Auditor {
    fetcher: Arc<dyn Fetcher>,
    limiter: Arc<Limiter>,
    allow: AllowTargets,
    options: AuditOptions,
}

impl std::fmt::Debug for Auditor {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Auditor")
            .field("options", &self.options)
            .finish_non_exhaustive()
    }
}

impl Auditor {
    /// An auditor of public sites, with the guarded HTTP client.
    ///
    /// # Errors
    /// When the HTTP client cannot be made.
    pub fn new(options: AuditOptions) -> Result<Self, EgressError> {
        let egress = EgressOptions::new(AllowTargets::default(), default_user_agent());
        Self::with_egress(egress, options)
    }

    /// An auditor with a guarded HTTP client of its own settings.
    ///
    /// # Errors
    /// When the HTTP client cannot be made.
    pub fn with_egress(egress: EgressOptions, options: AuditOptions) -> Result<Self, EgressError> {
        let allow = egress.allow_targets.clone();
        let fetcher = Arc::new(GuardedFetcher::new(egress)?);
        Ok(Self::with_fetcher(fetcher, allow, options))
    }

    /// An auditor over any fetcher. `allow` is what the URL gate lets through beside public
    /// targets; the address gate is the fetcher's own matter.
    #[must_use]
    pub fn with_fetcher(
        fetcher: Arc<dyn Fetcher>,
        allow: AllowTargets,
        options: AuditOptions,
    ) -> Self {
        Self {
            fetcher,
            limiter: Arc::default(),
            allow,
            options,
        }
    }

    /// Shares the host limits of another auditor.
    #[must_use]
    pub fn sharing_limits(mut self, limiter: Arc<Limiter>) -> Self {
        self.limiter = limiter;
        self
    }

    /// Audits the site that begins at `url`.
    ///
    /// # Errors
    /// When `url` is no absolute http(s) URL, or the site cannot be audited: [`AuditError`] says why.
    pub async fn audit(&self, url: &str) -> Result<Audit, AuditError> {
        self.audit_with_progress(url, &|_| {}).await
    }

    /// Audits the site that begins at `url`, telling how far it has come.
    ///
    /// # Errors
    /// As [`Auditor::audit`].
    pub async fn audit_with_progress(
        &self,
        url: &str,
        on_progress: OnProgress<'_>,
    ) -> Result<Audit, AuditError> {
        let requested =
            gate_url(url, &self.allow).map_err(|error| AuditError::of_target(&error))?;
        let deadline = self.options.deadline;
        // Boxed, so that the engine is compiled with this crate and not anew with each program.
        let run = self.run(without_fragment(&requested), on_progress).boxed();
        tokio::time::timeout(deadline, run)
            .await
            .unwrap_or_else(|_| {
                Err(AuditError::failed(
                    FailureCode::DeadlineExceeded,
                    format!("The audit took longer than {} s.", deadline.as_secs()),
                ))
            })
    }

    async fn run(&self, requested: Url, on_progress: OnProgress<'_>) -> Result<Audit, AuditError> {
        on_progress(&Progress::begin());
        let landed = phases::land(self, requested).await?;
        let discovered = phases::discover(&landed).await;
        let visited = phases::crawl(self, landed, discovered, on_progress).await?;
        Ok(phases::follow_up(self, visited, on_progress).await)
    }
}

/// Hosts that the operator listed are his own; others are treated politely.
fn host_limits(auditor: &Auditor, url: &Url) -> HostLimits {
    let options = &auditor.options;
    HostLimits::of(url, &auditor.allow, options.concurrency, options.max_rate)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_audit_may_be_spawned() {
        fn spawnable(_: impl Send) {}
        let auditor = Auditor::new(AuditOptions::default()).unwrap();
        spawnable(async move {
            let on_progress = |_: &Progress| {};
            auditor
                .audit_with_progress("https://example.com/", &on_progress)
                .await
        });
    }
}
