//! Runs, watched to their end.

use std::time::Duration;

use api_types::run::{Run, RunStatus};
use bytes::Bytes;
use tokio::time::{Instant, sleep};

use crate::call::Call;
use crate::events::Events;
use crate::{Client, Error, Reply};

/// How long a server that is away is asked again.
const PATIENCE: Duration = Duration::from_secs(60);

impl Client {
    /// Watches a run until it has ended, and calls `show` with the run whenever it changed. It follows the
    /// server's events, and asks every few seconds where there are none; a server that is away for less than a
    /// minute only keeps it waiting.
    ///
    /// # Errors
    /// When the server refuses, or is away for longer.
    pub async fn watch(
        &self,
        run: &str,
        show: &mut (dyn FnMut(&Run) + Send),
    ) -> Result<Reply<Run>, Error> {
        // Ids that are not ours are told at once, by the call that says it best.
        let mut seen = self.run(run).await?;
        show(&seen.value);
        let mut reached = Instant::now();
        while !has_ended(&seen.value) {
            // A stream that breaks off is no error: what is missed is asked for.
            if let Ok(Some(end)) = self.follow(run, show).await {
                return Ok(end);
            }
            sleep(self.poll).await;
            match self.run(run).await {
                Ok(now) => {
                    reached = Instant::now();
                    if now.value != seen.value {
                        show(&now.value);
                    }
                    seen = now;
                }
                Err(error) if error.is_passing() && reached.elapsed() < PATIENCE => {}
                Err(error) => return Err(error),
            }
        }
        Ok(seen)
    }

    /// Follows the events of a run; the run if it ended while we listened.
    async fn follow(
        &self,
        run: &str,
        show: &mut (dyn FnMut(&Run) + Send),
    ) -> Result<Option<Reply<Run>>, Error> {
        let call = Call::get(&["runs", run, "events"]);
        // Once: a server that has no stream to spare is asked for the run meanwhile.
        let mut response = self.send_once(&call, None).await?;
        let mut events = Events::default();
        while let Some(piece) = response
            .chunk()
            .await
            .map_err(|error| self.unreachable(&error))?
        {
            for event in events.feed(&piece) {
                let value: Run =
                    serde_json::from_str(&event.data).map_err(|error| self.strange(error))?;
                if has_ended(&value) {
                    let bytes = Bytes::from(event.data);
                    return Ok(Some(Reply { value, bytes }));
                }
                show(&value);
            }
        }
        Ok(None)
    }
}

/// Whether nothing more will become of a run.
pub(crate) const fn has_ended(run: &Run) -> bool {
    match run.status {
        RunStatus::Completed | RunStatus::Failed | RunStatus::Cancelled => true,
        RunStatus::Queued | RunStatus::Running => false,
    }
}
