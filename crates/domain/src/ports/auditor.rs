//! The engine, as the rules see it.

use std::ops::ControlFlow;
use std::time::Duration;

use crate::render_allowance::RenderAllowance;
use crate::report::AuditResult;
use crate::run::{Crash, RunError, RunOptions, RunProgress};
use crate::waiver::AuditWaivers;

/// What an auditor is asked to do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuditOrder {
    /// The start URL.
    pub url: String,
    /// How to audit.
    pub options: RunOptions,
    /// The findings that the owner of the site accepts, as they are when the audit begins.
    pub waivers: AuditWaivers,
    /// How many pages a browser may show; `None` for no limit.
    pub rendering: Option<RenderAllowance>,
    /// How long it may take.
    pub deadline: Duration,
    /// Whether it is audited in a process of its own.
    pub isolated: bool,
}

/// How an audit ended.
#[derive(Debug, Clone, PartialEq)]
pub enum AuditEnd {
    /// With a result.
    Result(Box<AuditResult>),
    /// Without one: a fact about the site, or a fault of ours.
    Error(RunError),
    /// It was told to stop.
    Stopped,
    /// The process that was to audit could not be started, or ended before it audited: a fault of
    /// ours.
    NotStarted,
    /// The process that audited crashed.
    Crashed(Crash),
}

/// Audits sites.
pub trait Auditor: Send + Sync {
    /// Audits a site, and blocks until that is done. Meanwhile `beat` is called about once a second with the
    /// progress. Where it breaks, the audit stops where it is: its result is not wanted any more.
    fn audit(
        &self,
        order: &AuditOrder,
        beat: &mut dyn FnMut(&RunProgress) -> ControlFlow<()>,
    ) -> AuditEnd;
}
