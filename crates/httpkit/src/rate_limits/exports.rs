//! Permits and threads for exports, comparisons and PDFs.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use actix_web::rt::time::timeout;
use domain::id::{KeyId, OrgId};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, oneshot};

use super::permits::{KeyedPermit, KeyedPermits};
use crate::limits::Tiers;
use crate::problem::{Limit, Problem};

/// Maximum wait for a thread.
const MAX_WAIT: Duration = Duration::from_secs(10);
/// Maximum wait for a build.
const MAX_BUILD: Duration = Duration::from_secs(30);
/// `Retry-After` in seconds.
const RETRY_SECONDS: u64 = 5;

/// Limits exports, and builds them on dedicated threads: one for each two processor cores, at least one, and at most
/// one at a time for an organization. Reads use other threads, and never wait behind exports.
pub struct Exports {
    keys: Arc<KeyedPermits<KeyId>>,
    organizations: Arc<KeyedPermits<OrgId>>,
    total: Arc<Semaphore>,
    turns: Arc<KeyedPermits<OrgId>>,
    threads: Arc<Semaphore>,
}

/// A permit for an export, a comparison or a PDF. A PDF holds it until it is built, others until the response is sent.
/// A build that continues after its client disconnected keeps its [`ExportThread`], but no permit.
pub struct ExportPermit {
    _key: Option<KeyedPermit<KeyId>>,
    _organization: KeyedPermit<OrgId>,
    _total: OwnedSemaphorePermit,
}

/// A thread for one export.
pub struct ExportThread {
    _turn: Option<KeyedPermit<OrgId>>,
    _thread: OwnedSemaphorePermit,
}

/// Whether the client of a step has disconnected. Long steps check it regularly.
#[derive(Debug, Clone, Default)]
pub struct Abandoned(Arc<AtomicBool>);

impl Abandoned {
    /// Marks the step as abandoned.
    pub fn set(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Ends an abandoned step.
    ///
    /// # Errors
    /// If the step is abandoned.
    pub fn check(&self) -> Result<(), Problem> {
        if self.0.load(Ordering::Relaxed) {
            return Err(Problem::unavailable("the client went away"));
        }
        Ok(())
    }
}

/// Marks a step as abandoned on drop.
pub struct AbandonOnDrop(pub Abandoned);

impl Drop for AbandonOnDrop {
    fn drop(&mut self) {
        self.0.set();
    }
}

impl Exports {
    /// Creates the limits for a machine with `cores` processor cores.
    #[must_use]
    pub fn new(limits: Tiers, cores: usize) -> Self {
        Self {
            keys: KeyedPermits::new(limits.key),
            organizations: KeyedPermits::new(limits.organization),
            total: Arc::new(Semaphore::new(limits.total)),
            turns: KeyedPermits::new(1),
            threads: Arc::new(Semaphore::new((cores / 2).max(1))),
        }
    }

    /// Acquires a permit to wait for a thread, to build, and to send a result that is not cached. Signed links have no
    /// key.
    ///
    /// # Errors
    /// `rate_limited` if the key, the organization or all callers together have reached their limit.
    pub fn acquire(&self, org: &OrgId, key: Option<&KeyId>) -> Result<ExportPermit, Problem> {
        let of_key = match key {
            Some(key) => Some(self.keys.try_acquire(key).ok_or_else(|| full("the key"))?),
            None => None,
        };
        let organization = self.organizations.try_acquire(org);
        let total = Arc::clone(&self.total).try_acquire_owned();
        Ok(ExportPermit {
            _key: of_key,
            _organization: organization.ok_or_else(|| full("the organization"))?,
            _total: total.map_err(|_| full("this server"))?,
        })
    }

    /// Waits for a thread.
    ///
    /// # Errors
    /// `rate_limited` if no thread is free in time.
    pub async fn thread(&self, org: &OrgId) -> Result<ExportThread, Problem> {
        let thread = async {
            let turn = self.turns.acquire(org).await;
            let thread = Arc::clone(&self.threads).acquire_owned().await;
            thread.map(|thread| ExportThread {
                _turn: turn,
                _thread: thread,
            })
        };
        match timeout(MAX_WAIT, thread).await {
            Ok(Ok(thread)) => Ok(thread),
            Ok(Err(closed)) => Err(Problem::internal(closed.to_string())),
            Err(_) => Err(Problem::rate_limited(
                Limit::Exports,
                "Too many exports, comparisons and PDFs are queued before this one.",
                RETRY_SECONDS,
            )),
        }
    }

    /// Runs a step on a thread. If the client disconnects, the step continues until it next checks its
    /// [`Abandoned`], and keeps the thread until then.
    ///
    /// # Errors
    /// Errors of [`Self::thread`], `unavailable` on timeout, `internal` if the step panics.
    pub async fn run<T: Send + 'static>(
        &self,
        org: &OrgId,
        step: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Problem> {
        let thread = self.thread(org).await?;
        timeout(MAX_BUILD, thread.run("export", step))
            .await
            .unwrap_or_else(|_| Err(Problem::unavailable("the export was not built in time")))
    }
}

impl ExportThread {
    /// Runs a step on a new thread, which counts until the step ends.
    ///
    /// # Errors
    /// `unavailable` if the system cannot start a thread, `internal` if the step panics.
    pub async fn run<T: Send + 'static>(
        self,
        name: &str,
        step: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Problem> {
        let (send, receive) = oneshot::channel();
        let thread = thread::Builder::new().name(name.to_owned());
        let counted = move || {
            let done = step();
            drop(self);
            // Nothing receives the result if the client disconnected.
            let _ = send.send(done);
        };
        thread
            .spawn(counted)
            .map_err(|error| Problem::unavailable(error.to_string()))?;
        let done = receive.await;
        done.map_err(|_| Problem::internal("the export panicked"))
    }
}

fn full(who: &str) -> Problem {
    Problem::rate_limited(
        Limit::Exports,
        format!("The limit of concurrent exports, comparisons and PDFs of {who} is reached."),
        RETRY_SECONDS,
    )
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt;
    use testkit::SequentialIds;

    use super::*;
    use crate::problem::Code;

    const LIMITS: Tiers = Tiers {
        key: 1,
        organization: 2,
        total: 3,
    };

    fn refusal<T>(refused: Result<T, Problem>) -> Option<Code> {
        refused.err().map(|problem| problem.code())
    }

    #[test]
    fn a_key_an_organization_and_all_together_have_their_limits() {
        let ids = SequentialIds::default();
        let orgs = [(); 3].map(|()| OrgId::make(&ids));
        let keys = [(); 4].map(|()| KeyId::make(&ids));
        let exports = Exports::new(LIMITS, 1);
        let first = exports.acquire(&orgs[0], Some(&keys[0])).ok();
        assert!(first.is_some());
        let of_key = exports.acquire(&orgs[0], Some(&keys[0]));
        assert_eq!(refusal(of_key), Some(Code::RateLimited));
        let second = exports.acquire(&orgs[0], None).ok();
        assert!(second.is_some());
        let of_organization = exports.acquire(&orgs[0], Some(&keys[1]));
        assert_eq!(refusal(of_organization), Some(Code::RateLimited));
        let third = exports.acquire(&orgs[1], Some(&keys[2])).ok();
        assert!(third.is_some());
        let of_all = exports.acquire(&orgs[2], Some(&keys[3]));
        assert_eq!(refusal(of_all), Some(Code::RateLimited));
        drop(first);
        assert!(exports.acquire(&orgs[2], Some(&keys[3])).is_ok());
    }

    #[tokio::test]
    async fn an_organization_uses_at_most_one_thread() {
        let ids = SequentialIds::default();
        let (one, other) = (OrgId::make(&ids), OrgId::make(&ids));
        let exports = Exports::new(LIMITS, 4);
        let held = exports.thread(&one).await.unwrap();
        assert!(exports.thread(&one).now_or_never().is_none(), "it waits");
        assert!(exports.thread(&other).now_or_never().is_some());
        drop(held);
        assert!(exports.thread(&one).now_or_never().is_some());
    }

    #[tokio::test(start_paused = true)]
    async fn waiting_too_long_for_a_thread_is_rate_limited() {
        let ids = SequentialIds::default();
        let exports = Exports::new(LIMITS, 1);
        let held = exports.thread(&OrgId::make(&ids)).await;
        let late = exports.thread(&OrgId::make(&ids)).await;
        assert_eq!(refusal(late), Some(Code::RateLimited));
        drop(held);
    }

    #[tokio::test]
    async fn a_thread_is_free_again_when_its_step_panics() {
        let exports = Exports::new(LIMITS, 1);
        let org = OrgId::make(&SequentialIds::default());
        let panicked = exports
            .run(&org, || panic!("failure injected by the test"))
            .await;
        assert_eq!(refusal::<()>(panicked), Some(Code::Internal));
        assert_eq!(exports.run(&org, || 7).await.ok(), Some(7));
    }

    #[test]
    fn an_abandoned_step_ends_at_its_next_check() {
        let abandoned = Abandoned::default();
        assert!(abandoned.check().is_ok());
        drop(AbandonOnDrop(abandoned.clone()));
        assert!(abandoned.check().is_err());
    }
}
