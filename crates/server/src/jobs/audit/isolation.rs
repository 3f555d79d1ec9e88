//! Decides which runs are audited in a child process.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};

use domain::ports::{AuditEnd, AuditOrder, Auditor, Stores};
use domain::run::RunProgress;

use super::auditor::EngineAuditor;
use super::child::ChildAuditor;
use crate::config::IsolationMode;
use crate::metrics;

/// Whether each run is audited in a child process.
#[derive(Debug)]
pub(crate) struct Isolation {
    mode: IsolationMode,
    /// Whether there were several organizations; organizations are never removed.
    has_several: AtomicBool,
}

impl Isolation {
    pub(crate) const fn new(mode: IsolationMode) -> Self {
        Self {
            mode,
            has_several: AtomicBool::new(false),
        }
    }

    /// Returns whether isolation is on now. If the database is unavailable, it is on, which is the safe choice.
    pub(crate) fn is_on(&self, stores: &dyn Stores) -> bool {
        match self.mode {
            IsolationMode::Process => true,
            IsolationMode::Thread => false,
            IsolationMode::Auto if self.has_several.load(Ordering::Relaxed) => true,
            IsolationMode::Auto => {
                let Ok(orgs) = stores.orgs() else {
                    return true;
                };
                let several = orgs.len() > 1;
                self.has_several.store(several, Ordering::Relaxed);
                several
            }
        }
    }
}

/// Audits in this process, or in a child process.
pub(crate) struct RunAuditor {
    pub(crate) engine: EngineAuditor,
    pub(crate) child: ChildAuditor,
}

impl Auditor for RunAuditor {
    fn audit(
        &self,
        order: &AuditOrder,
        beat: &mut dyn FnMut(&RunProgress) -> ControlFlow<()>,
    ) -> AuditEnd {
        let end = if order.isolated {
            self.child.audit(order, beat)
        } else {
            self.engine.audit(order, beat)
        };
        if let AuditEnd::Result(result) = &end {
            metrics::pages_rendered(result.coverage.pages_rendered);
        }
        end
    }
}

#[cfg(test)]
mod tests {
    use domain::audit_log::Actor;
    use domain::ports::OrgStore;
    use storage::Database;
    use testkit::{SequentialIds, sample};

    use super::*;

    #[test]
    fn isolation_starts_with_the_second_organization() {
        let (stores, ids) = (Database::for_test(), SequentialIds::default());
        let modes = [
            IsolationMode::Auto,
            IsolationMode::Process,
            IsolationMode::Thread,
        ];
        let all = modes.map(Isolation::new);
        let is_on = || all.each_ref().map(|isolation| isolation.is_on(&stores));
        for expected in [
            [false, true, false],
            [false, true, false],
            [true, true, false],
        ] {
            assert_eq!(is_on(), expected);
            let org = sample::new_org(&ids);
            stores.create_org(&org, &Actor::System).unwrap();
        }
    }
}
