//! Watches runs until they end.

use std::time::Duration;

use api_types::run::{Run, RunStatus};
use bytes::Bytes;
use tokio::time::{Instant, sleep};

use crate::call::Call;
use crate::events::Events;
use crate::{Client, Error, Reply};

/// How long requests to an unreachable server are retried.
const PATIENCE: Duration = Duration::from_secs(60);

impl Client {
    /// Watches a run until it has ended, and calls `show` after each change. It follows the server's event stream
    /// and polls every few seconds without one. It tolerates an unreachable server for up to a minute.
    ///
    /// # Errors
    /// When the server returns an error or is unreachable for longer.
    pub async fn watch(
        &self,
        run: &str,
        show: &mut (dyn FnMut(&Run) + Send),
    ) -> Result<Reply<Run>, Error> {
        // Unknown ids are reported immediately, by the request with the best error.
        let mut seen = self.run(run).await?;
        show(&seen.value);
        let mut reached = Instant::now();
        while !has_ended(&seen.value) {
            // An interrupted stream is not an error: the run is polled instead.
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

    /// Follows the event stream of a run; returns the run if it ended meanwhile.
    async fn follow(
        &self,
        run: &str,
        show: &mut (dyn FnMut(&Run) + Send),
    ) -> Result<Option<Reply<Run>>, Error> {
        let call = Call::get(&["runs", run, "events"]);
        // No retry: if the server has no free stream, the run is polled.
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

/// Whether the run has ended.
pub(crate) const fn has_ended(run: &Run) -> bool {
    match run.status {
        RunStatus::Completed | RunStatus::Failed | RunStatus::Cancelled => true,
        RunStatus::Queued | RunStatus::Running => false,
    }
}
