//! Configuration reload at `SIGHUP`: the log filter and the plans.

use anyhow::Result;
use domain::plan::SharedPlans;
use domain::ports::{Clock, JobKind, JobStore, OrgStore};
use storage::Database;

use super::refuse_unknown_plans;
use crate::config::{ConfigSource, changed_keys};
use crate::logging::Log;
use crate::sources::SystemClock;

/// Sections and settings that are reloaded; all others need a restart.
const RELOADABLE: [&str; 2] = ["logs.filter", "plans"];

/// What a reload reads and changes.
#[derive(Clone)]
pub(super) struct Reload {
    /// The source of the configuration.
    pub(super) source: ConfigSource,
    /// The settings when the process started.
    pub(super) started_with: toml::Table,
    /// The database, whose organizations must have configured plans.
    pub(super) database: Database,
    /// The log, whose filter is replaced.
    pub(super) log: &'static Log,
    /// The plans that are replaced.
    pub(super) plans: SharedPlans,
}

impl Reload {
    /// Reloads the configuration and applies its reloadable part. If the configuration is invalid, nothing changes. The
    /// outcome is logged.
    pub(super) fn run(&self) {
        match self.take_over() {
            Ok(needing_restart) => {
                tracing::info!("configuration reloaded");
                if !needing_restart.is_empty() {
                    tracing::warn!(
                        settings = needing_restart.join(", "),
                        "these settings take effect at the next start"
                    );
                }
            }
            Err(error) => tracing::error!(
                error = format!("{error:#}"),
                "configuration not reloaded; keeping the previous one"
            ),
        }
    }

    /// Applies the reloadable settings. Returns the changed settings that need a restart.
    fn take_over(&self) -> Result<Vec<String>> {
        let settings = self.source.load()?;
        refuse_unknown_plans(&self.database, &settings.service)?;
        let changed = changed_keys(&self.started_with, &self.source.show()?);
        // Steps that can fail come before steps that change something.
        self.log.set_filter(&settings.service.log_filter)?;
        if *self.plans.current() != settings.service.plans {
            self.plans.replace(settings.service.plans);
            self.sweep_soon();
        }
        Ok(changed
            .into_iter()
            .filter(|key| !is_reloadable(key))
            .collect())
    }

    /// Triggers retention sweeps, because the plans may have shorter retention periods.
    fn sweep_soon(&self) {
        let now = SystemClock.now();
        let expedited = self.database.orgs().and_then(|orgs| {
            let mut ids = orgs.iter().map(|org| org.id.as_str());
            ids.try_for_each(|id| self.database.expedite_job(JobKind::Retention, id, now))
        });
        if let Err(error) = expedited {
            tracing::warn!(%error, "retention sweeps not rescheduled");
        }
    }
}

fn is_reloadable(key: &str) -> bool {
    RELOADABLE.iter().any(|known| {
        key.strip_prefix(known)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_filter_and_plans_are_reloadable_and_nothing_else_is() {
        for key in ["logs.filter", "plans.team.sites", "plans"] {
            assert!(is_reloadable(key), "{key}");
        }
        for key in ["logs.format", "logs", "plans2", "server.listen", "variant"] {
            assert!(!is_reloadable(key), "{key}");
        }
    }
}
