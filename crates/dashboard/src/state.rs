//! What the pages work with, and what the operator decided.

use std::sync::Arc;

use domain::account::SessionLifetime;
use domain::id::AccountId;
use domain::plan::{Plan, SharedPlans};
use domain::ports::{
    CheckCatalogue, Clock, IdSource, ObjectStore, Passwords, ReportRenderer, Stores,
};
use domain::report::Variant;
use domain::retention::Retention;
use domain::run::OptionBounds;
use domain::target::AllowTargets;
use domain::usecase::Sessions;
use httpkit::rate_limits::RateLimits;

use crate::throttle::SignInThrottle;

/// What the pages work with. Clones share it.
#[derive(Clone)]
pub struct DashboardState {
    /// Everything that is stored. Called on threads that may block, never on the event loop.
    pub stores: Arc<dyn Stores>,
    /// The bytes of pictures. Called on threads that may block.
    pub objects: Arc<dyn ObjectStore>,
    /// What is known of the checks.
    pub checks: Arc<dyn CheckCatalogue>,
    /// The time.
    pub clock: Arc<dyn Clock>,
    /// New ids and tokens.
    pub ids: Arc<dyn IdSource>,
    /// Hashes and judges passwords.
    pub passwords: Arc<dyn Passwords>,
    /// Makes PDFs; none in a build without them.
    pub renderer: Option<Arc<dyn ReportRenderer>>,
    /// What the requests of this process share.
    pub rate_limits: RateLimits,
    /// Limits attempts to enter passwords and codes.
    pub(crate) throttle: Arc<SignInThrottle>,
    /// What the operator decided.
    pub settings: Arc<DashboardSettings>,
}

/// What the operator decided.
pub struct DashboardSettings {
    /// The variant of the interface that is served; `legacy` has no AI readiness and no action items.
    pub variant: Variant,
    /// The address of the service as people know it, without a slash at its end.
    pub base_url: String,
    /// Whether people can sign in. Otherwise only pages are served that show nothing of an organization, and the start
    /// page says what the service is.
    pub has_sign_in: bool,
    /// How long sessions last.
    pub lifetime: SessionLifetime,
    /// Whether people may sign in over plain http from other machines.
    pub allow_plain_http: bool,
    /// The plans that organizations may be on.
    pub plans: SharedPlans,
    /// The retention periods where neither the organization nor its plan has any.
    pub retention: Retention,
    /// Targets that are visited beside public ones.
    pub allow_targets: AllowTargets,
    /// Audited pages at most where a form does not say.
    pub default_max_pages: u32,
    /// What callers may ask for.
    pub bounds: OptionBounds,
    /// Called after a run was started, to wake a worker. It must not block.
    pub on_run_started: Arc<dyn Fn() + Send + Sync>,
    /// Called after a run was cancelled, to count it. It must not block.
    pub on_run_cancelled: Arc<dyn Fn() + Send + Sync>,
    /// Called after a brief was queued, to wake its writer. It must not block.
    pub on_brief_queued: Arc<dyn Fn() + Send + Sync>,
    /// What the pages of the operator show.
    pub operator: OperatorSettings,
}

/// What the pages of the operator show.
pub struct OperatorSettings {
    /// The accounts that may see them; empty for nobody. Accounts are named by id, because everybody can change the own
    /// address.
    pub accounts: Vec<AccountId>,
    /// The names and versions of the parts of this installation.
    pub versions: Vec<(&'static str, String)>,
    /// Examines the installation. It may block for some seconds, and is called on threads of exports.
    pub examine: Arc<dyn Fn() -> Vec<Diagnosis> + Send + Sync>,
}

/// What an examination of the installation found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnosis {
    /// What was examined, such as `database.schema`.
    pub check: &'static str,
    /// How well it is.
    pub level: DiagnosisLevel,
    /// The observed state.
    pub message: String,
    /// What to do; none without a problem.
    pub remedy: Option<String>,
}

/// How well something is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DiagnosisLevel {
    /// No problem.
    Fine,
    /// The service works, but with restrictions, or not permanently.
    Warning,
    /// The service does not work.
    Problem,
}

/// The ports that [`DashboardState::new`] takes.
pub struct Ports {
    /// Everything that is stored.
    pub stores: Arc<dyn Stores>,
    /// The bytes of pictures. Called on threads that may block.
    pub objects: Arc<dyn ObjectStore>,
    /// What is known of the checks.
    pub checks: Arc<dyn CheckCatalogue>,
    /// The time.
    pub clock: Arc<dyn Clock>,
    /// New ids and tokens.
    pub ids: Arc<dyn IdSource>,
    /// Hashes and judges passwords.
    pub passwords: Arc<dyn Passwords>,
    /// Makes PDFs; none in a build without them.
    pub renderer: Option<Arc<dyn ReportRenderer>>,
}

impl DashboardState {
    /// The state over these ports.
    #[must_use]
    pub fn new(ports: Ports, rate_limits: RateLimits, settings: DashboardSettings) -> Self {
        let throttle = SignInThrottle::new(Arc::clone(&ports.clock));
        Self {
            stores: ports.stores,
            objects: ports.objects,
            checks: ports.checks,
            clock: ports.clock,
            ids: ports.ids,
            passwords: ports.passwords,
            renderer: ports.renderer,
            rate_limits,
            throttle: Arc::new(throttle),
            settings: Arc::new(settings),
        }
    }

    /// Sign-in, sessions and one-time links.
    pub(crate) fn sessions(&self) -> Sessions<'_> {
        Sessions {
            stores: &*self.stores,
            clock: &*self.clock,
            ids: &*self.ids,
            passwords: &*self.passwords,
            lifetime: self.settings.lifetime,
        }
    }

    /// Whether people reach the service over TLS.
    pub(crate) fn is_https(&self) -> bool {
        is_https(&self.settings.base_url)
    }

    /// The plan of that name; none where the configuration does not have it.
    pub(crate) fn plan(&self, name: &str) -> Option<Plan> {
        self.settings.plans.current().get(name).cloned()
    }
}

/// Whether people reach a service at this address over TLS.
pub(crate) fn is_https(base_url: &str) -> bool {
    base_url.starts_with("https://")
}
