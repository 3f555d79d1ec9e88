//! Whether a page changes long after its load, such as a banner that a timer shows after some seconds.
//!
//! To wait for that in every load would take seconds. Instead, the time of a page that has been measured runs ahead: its
//! timers run at once, in their order. Metrics cannot be taken from that, because several changes come in one frame. A page
//! that changes is measured again, and longer.

use std::time::Duration;

use tokio::time::{Instant, timeout_at};

use super::cdp::commands::{SetCpuRate, SetVirtualTime};
use super::cdp::{CdpError, Session};
use super::settle::QUIET_WHILE_MEASURED;
use super::world::World;

/// How far the time of a page runs ahead. With the time that it was quiet before, this is as long as Lighthouse 13 waits after the
/// load of a page.
const AHEAD: Duration = Duration::from_millis(4_600);

/// How long it may take until the time has run ahead: a page whose requests hold it, or whose scripts are busy, is measured again.
const MOST_TIME: Duration = Duration::from_secs(2);

/// If it takes longer than this, scripts are busy. Without them it takes some milliseconds.
const BUSY: Duration = Duration::from_millis(500);

/// After this number of tasks time passes in any case, so that a page whose tasks never end does not stop it.
const MOST_TASKS: u32 = 10_000;

/// After the last change a page is measured this much longer.
const AFTER_CHANGE: Duration = Duration::from_millis(500);

/// How long the page has to be quiet so that a load has all its changes; none if this load has them. The page cannot be
/// used afterwards: its time stands still.
pub(super) async fn quiet_with_changes(tab: &Session, frame: &str) -> Option<Duration> {
    match last_change(tab, frame).await {
        Ok(change) => change.map(|at| QUIET_WHILE_MEASURED + at + AFTER_CHANGE),
        Err(error) => {
            tracing::debug!(%error, "the time of a page did not run ahead");
            None
        }
    }
}

/// When the last change comes.
async fn last_change(tab: &Session, frame: &str) -> Result<Option<Duration>, CdpError> {
    // The time of a processor that is slowed down does not run ahead.
    tab.call(&SetCpuRate { rate: 1.0 }).await?;
    let world = World::enter(tab, frame).await?;
    let start = Instant::now();
    let run_ahead = SetVirtualTime {
        policy: "pauseIfNetworkFetchesPending",
        budget: u32::try_from(AHEAD.as_millis()).unwrap_or(u32::MAX),
        max_virtual_time_task_starvation_count: MOST_TASKS,
    };
    tab.call(&run_ahead).await?;
    let expired = timeout_at(start + MOST_TIME, has_expired(tab)).await;
    if expired != Ok(true) || start.elapsed() > BUSY {
        return Ok(Some(AHEAD));
    }
    let last = world.promised("assayLastChange()").await?;
    Ok(last.as_u64().map(Duration::from_millis))
}

/// Waits until the time of the page has run ahead. Returns whether it has: the tab may have ended.
async fn has_expired(tab: &Session) -> bool {
    while let Some(event) = tab.next_event().await {
        if event.method == "Emulation.virtualTimeBudgetExpired" {
            return true;
        }
    }
    false
}
