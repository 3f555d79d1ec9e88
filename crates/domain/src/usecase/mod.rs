//! What the service does, step by step, over the ports.
//!
//! A plain look-up needs no use case: the adapter asks the store.

mod administer;
mod attempt;
mod authenticate;
mod bring_forward;
mod conclude;
mod create_site;
mod retention_sweep;
mod set_schedule;
mod start_audit;
mod start_due;
mod visited;
mod webhooks;

pub use administer::{AdminError, Administration, Bootstrap, CreatedKey};
pub use attempt::{Attempt, AttemptEnd, Beats};
pub use authenticate::{AuthenticationError, Caller, authenticate};
pub use bring_forward::{BroughtForward, bring_forward};
pub use conclude::{OCCURRENCES_A_BATCH, conclude};
pub use create_site::{CreateSite, CreateSitePolicy, SiteNotCreated, create_site};
pub use retention_sweep::{RetentionSweep, SweepReport};
pub use set_schedule::set_schedule;
pub use start_audit::{StartAudit, StartAuditError, StartAuditPolicy, start_audit};
pub use start_due::{StartDuePolicy, start_due};
pub use webhooks::{CreateWebhook, WebhookRefused, create_webhook, update_webhook};
