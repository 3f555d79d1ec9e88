//! What the service does, step by step, over the ports.
//!
//! A plain look-up needs no use case: the adapter asks the store.

mod administer;
mod artifacts;
mod attempt;
mod authenticate;
mod check_target;
mod complete_run;
mod create_site;
mod one_time_links;
mod own_account;
mod repair_future_timestamps;
mod retention_settings;
mod retention_sweep;
mod run_facts;
mod second_factor;
mod sessions;
mod set_schedule;
mod start_audit;
mod start_due;
mod webhooks;

pub use administer::{AdminError, Administration, Bootstrap, CreatedKey};
pub use artifacts::{ArtifactNotRead, ArtifactRules, Artifacts};
pub use attempt::{Attempt, AttemptEnd, HeartbeatConfig};
pub use authenticate::{AuthenticationError, Caller, authenticate};
pub use complete_run::{OCCURRENCES_A_BATCH, complete_run};
pub use create_site::{
    CreateSite, CreateSitePolicy, SiteNotCreated, create_site, create_site_once,
};
pub use one_time_links::{Issuer, LinkNotIssued, LinkNotTaken, OneTimeLinks};
pub use own_account::AccountNotChanged;
pub use repair_future_timestamps::{RepairedTimestamps, repair_future_timestamps};
pub use retention_settings::{RetentionRefused, RetentionSettings, RetentionState};
pub use retention_sweep::{RetentionSweep, SweepReport};
pub use run_facts::{run_duration_ms, run_facts, run_facts_without_visits};
pub use second_factor::{CodeRefused, EnabledSecondFactor, SecondFactorNotRequired};
pub use sessions::{Client, OpenedSession, PasswordNotChanged, Sessions, SignInRefused};
pub use set_schedule::set_schedule;
pub use start_audit::{StartAudit, StartAuditError, StartAuditPolicy, start_audit};
pub use start_due::{StartDuePolicy, start_due};
pub use webhooks::{
    CreateWebhook, WebhookRefused, create_webhook, create_webhook_once, update_webhook,
};
