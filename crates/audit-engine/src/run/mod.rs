//! An audit from URL to result.

mod alternates;
mod budgets;
mod canonicals;
mod caps;
mod external;
mod failure;
mod link_graph;
mod measure;
mod phases;
mod pictures;
mod probes;
mod resources;
mod site_links;
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

pub use failure::{AuditError, Remedy};

use crate::address::without_fragment;
use crate::crawl::progress::{OnProgress, Progress};
use crate::egress::{EgressError, EgressOptions, GuardedFetcher, HostLimits, Limiter};
use crate::gather::{Fetcher, Renderer};
use crate::options::{AuditOptions, default_user_agent};
use crate::site::Site;

/// The result of an audit, and the site model behind it.
#[derive(Debug)]
pub struct Audit {
    /// Tallies, findings and coverage.
    pub result: AuditResult,
    /// The site after the crawl.
    pub site: Site,
}

/// Audits sites.
///
/// One auditor can audit many sites at the same time. The rate limit of a host applies to all of them together.
pub struct Auditor {
    fetcher: Arc<dyn Fetcher>,
    limiter: Arc<Limiter>,
    renderer: Option<Arc<dyn Renderer>>,
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
    /// An auditor of public sites with the guarded HTTP client.
    ///
    /// # Errors
    /// If the HTTP client cannot be created.
    pub fn new(options: AuditOptions) -> Result<Self, EgressError> {
        let egress = EgressOptions::new(AllowTargets::default(), default_user_agent());
        Self::with_egress(egress, options)
    }

    /// An auditor with a guarded HTTP client with these settings.
    ///
    /// # Errors
    /// If the HTTP client cannot be created.
    pub fn with_egress(egress: EgressOptions, options: AuditOptions) -> Result<Self, EgressError> {
        let allow = egress.allow_targets.clone();
        let fetcher = Arc::new(GuardedFetcher::new(egress)?);
        Ok(Self::with_fetcher(fetcher, allow, options))
    }

    /// An auditor with any fetcher. The URL gate allows `allow` in addition to public targets. The fetcher is
    /// responsible for the address gate.
    #[must_use]
    pub fn with_fetcher(
        fetcher: Arc<dyn Fetcher>,
        allow: AllowTargets,
        options: AuditOptions,
    ) -> Self {
        Self {
            fetcher,
            limiter: Arc::default(),
            renderer: None,
            allow,
            options,
        }
    }

    /// Shares the rate limiter of another auditor.
    #[must_use]
    pub fn sharing_limits(mut self, limiter: Arc<Limiter>) -> Self {
        self.limiter = limiter;
        self
    }

    /// Audits pages as this renderer shows them: rendered mode. Checks that need the page as served judge the response.
    /// A page that the renderer does not show is judged as it was served, and the crawl is then not complete.
    #[must_use]
    pub fn rendering_with(mut self, renderer: Arc<dyn Renderer>) -> Self {
        self.renderer = Some(renderer);
        self
    }

    /// Audits the site that begins at `url`.
    ///
    /// # Errors
    /// If `url` is not an absolute http(s) URL, or the site cannot be audited, with the reason in
    /// [`AuditError`].
    pub async fn audit(&self, url: &str) -> Result<Audit, AuditError> {
        self.audit_with_progress(url, &|_| {}).await
    }

    /// Audits the site that begins at `url`, and reports progress.
    ///
    /// # Errors
    /// See [`Auditor::audit`].
    pub async fn audit_with_progress(
        &self,
        url: &str,
        on_progress: OnProgress<'_>,
    ) -> Result<Audit, AuditError> {
        let requested =
            gate_url(url, &self.allow).map_err(|error| AuditError::of_target(&error))?;
        let deadline = self.options.deadline;
        // Boxed, so that the engine is compiled with this crate and not again with each program.
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
        // The site is large, and would be in the future of the audit twice.
        Ok(Box::pin(phases::follow_up(self, visited, on_progress)).await)
    }
}

/// Hosts that the operator listed have the limits of own hosts. All others have polite limits.
fn host_limits(auditor: &Auditor, url: &Url) -> HostLimits {
    let options = &auditor.options;
    HostLimits::for_target(url, &auditor.allow, options.concurrency, options.max_rate)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_audit_can_be_spawned() {
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
