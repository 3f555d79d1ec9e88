//! What the rules need from the world: traits that adapters implement.
//!
//! All are synchronous. Every store method on an organization's data takes the [`OrgId`] first, so
//! what belongs to another organization is simply not found. One contract suite, in
//! `storage/tests/contract`, says what every implementation must do.
//!
//! [`OrgId`]: crate::id::OrgId

mod account_store;
mod action_store;
mod answer_store;
mod artifact_store;
mod auditor;
mod check_catalogue;
mod health;
mod job_store;
mod key_store;
mod object_store;
mod operator_store;
mod org_store;
mod overview_store;
mod passwords;
mod queue;
mod report_renderer;
mod report_store;
mod retention_store;
mod run_store;
mod schedule_store;
mod second_factor_store;
mod signing_key_store;
mod site_store;
mod url_signer;
mod waiver_store;
mod webhook_store;

pub use crate::report::{IssueIdentity, StoredReport};
pub use crate::sources::{Clock, IdSource};
pub use account_store::{
    AccountStore, Credentials, EmailInUse, LinkRefused, LinkTarget, Membership, NewAccount,
    NewSession, SignedIn, Taker,
};
pub use action_store::{
    ActionPage, ActionStore, ChangeActionError, CommentPage, LatestIssue, ListActionsError,
    SightedIssue, Sighting,
};
pub use answer_store::{AnswerStore, KeepAnswerError, MAX_KEPT_ANSWERS};
pub use artifact_store::{ArtifactStore, StoredArtifact};
pub use auditor::{AuditEnd, AuditOrder, Auditor};
pub use check_catalogue::{CheckCatalogue, CheckGuide, CheckInfo};
pub use health::{Health, NotReady};
pub use job_store::{JobClaim, JobKind, JobStore, LONGEST_BACKOFF, LeaseStatus, WorkerId, backoff};
pub use key_store::{AuthenticatedKey, KeyStore, NewKey};
pub use object_store::{
    InvalidObjectName, MAX_LISTED_OBJECTS, ObjectError, ObjectInfo, ObjectName, ObjectStore,
    ObjectWriter,
};
pub use operator_store::{OperatorStore, OrgPage, WorkerLoad};
pub use org_store::{NewMember, NewOrg, OrgStore};
pub use overview_store::{OverviewStore, ScoredReport, SiteCard, SiteCardPage, SiteTotals};
pub use passwords::Passwords;
pub use queue::{
    Claim, CompletedRun, HandBack, JobQueue, NewCause, NewLink, NewOccurrence, NewPage,
    NewPageOrder, NewRedirect, PAGE_ORDER_PART, QueueRules, Reaped, RenderReservation, RunModes,
};
pub use report_renderer::{DocumentRequest, RenderError, ReportRenderer};
pub use report_store::{
    CausePage, DifferentPages, LinkPage, MAX_PAGE_FINDINGS, OccurrencePage, PageDifference,
    PageFinding, PageReport, RedirectPage, ReportDetail, ReportStore, VisitPage,
};
pub use retention_store::{QueueDepth, Removed, RetentionStore};
pub use run_store::{
    CancelRunError, Cancellation, NewRun, NewSite, RunPage, RunStore, StartRunError, StartedRun,
};
pub use schedule_store::{ScheduleOutcome, ScheduleStore};
pub use second_factor_store::{EnabledFactor, SecondFactorStore, SignInNotCompleted};
pub use signing_key_store::SigningKeyStore;
pub use site_store::{
    CreateSiteError, HistoryEntry, HistoryPage, NamedSite, SiteOverview, SiteRef, SiteStore,
};
pub use url_signer::UrlSigner;
pub use waiver_store::{CreateWaiverError, WaiverStore};
pub use webhook_store::{
    CreateWebhookError, DeliveryClaim, DeliveryFairness, DeliveryPage, NewWebhook,
    TestWebhookError, WebhookStore,
};

/// Everything that is stored, behind one handle.
pub trait Stores:
    OrgStore
    + OperatorStore
    + KeyStore
    + AccountStore
    + SecondFactorStore
    + SigningKeyStore
    + RunStore
    + ReportStore
    + ArtifactStore
    + SiteStore
    + OverviewStore
    + ActionStore
    + AnswerStore
    + JobStore
    + JobQueue
    + ScheduleStore
    + WebhookStore
    + WaiverStore
    + Health
    + RetentionStore
{
}

impl<T> Stores for T where
    T: OrgStore
        + OperatorStore
        + KeyStore
        + AccountStore
        + SecondFactorStore
        + SigningKeyStore
        + RunStore
        + ReportStore
        + ArtifactStore
        + SiteStore
        + OverviewStore
        + ActionStore
        + AnswerStore
        + JobStore
        + JobQueue
        + ScheduleStore
        + WebhookStore
        + WaiverStore
        + Health
        + RetentionStore
{
}

/// Why a store operation failed.
///
/// The texts are for the operator's log; callers of the service never see them.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum StoreError {
    /// The database is away, too busy, or full. Asking again later helps.
    #[error("the database is unavailable: {0}")]
    Unavailable(String),
    /// The database refused, or holds what it should not. Asking again does not help.
    #[error("the database failed: {0}")]
    Failed(String),
}
