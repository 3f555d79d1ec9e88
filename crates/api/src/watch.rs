//! A run as a stream of server-sent events.

use std::convert::Infallible;
use std::time::Duration;

use actix_web::rt::time::{Instant, sleep, sleep_until};
use actix_web::web::Bytes;
use domain::key::KeyHash;
use domain::ports::StoreError;
use domain::run::{Run, RunState};
use futures_util::future::{FutureExt, LocalBoxFuture};
use futures_util::stream::{self, Stream};
use tokio::sync::watch;

use crate::convert;
use crate::state::ApiState;
use httpkit::rate_limits::{Caller, StreamPermit};

/// The polling interval of the run.
const LOOK: Duration = Duration::from_secs(1);
/// The keep-alive interval, because proxies may close idle connections.
const SILENCE: Duration = Duration::from_secs(15);
/// The keep-alive comment, which clients ignore.
const KEEP_ALIVE: Bytes = Bytes::from_static(b": keep-alive\n\n");

/// A watched run; the stream lasts until the run ends or the key becomes invalid.
pub(crate) struct Watch {
    state: ApiState,
    key: KeyHash,
    run: Run,
    #[expect(dead_code, reason = "taken as long as it is held")]
    permit: StreamPermit,
}

impl Watch {
    /// Watches a run from its current state. The permit is held until the stream ends or is dropped.
    pub(crate) const fn new(state: ApiState, key: KeyHash, run: Run, permit: StreamPermit) -> Self {
        Self {
            state,
            key,
            run,
            permit,
        }
    }

    /// `progress` immediately and after each change, then `completed`, `failed` or `cancelled`, and a keep-alive
    /// comment when idle. A run that has ended sends only its last event; a deleted run ends as `cancelled`. The
    /// stream ends without an event if the key becomes invalid or the server stops.
    ///
    /// While the database is unreachable, the stream waits.
    pub(crate) fn events(self) -> impl Stream<Item = Result<Bytes, Infallible>> {
        let watching = Watching {
            stopping: self.state.rate_limits.stopping(),
            look: async { Seen::Away }.boxed_local(),
            sent: Instant::now(),
            shows: Shows::Nothing,
            watch: self,
        };
        stream::unfold(watching, |mut watching| async {
            let bytes = watching.next().await?;
            Some((Ok(bytes), watching))
        })
    }

    /// Reads the run on a blocking thread; no database connection is held in between.
    fn look(&self) -> LocalBoxFuture<'static, Seen> {
        let (state, key) = (self.state.clone(), self.key.clone());
        let run = self.run.id.clone();
        let org = self.run.org_id.clone();
        let (rate_limits, caller) = (state.rate_limits.clone(), Caller::Organization(org.clone()));
        async move {
            sleep(LOOK).await;
            let look = move || {
                let now = state.clock.now();
                let found = state.stores.key_by_hash(&key)?;
                if !found.is_some_and(|found| found.key.works_at(now)) {
                    return Ok(Seen::Gone);
                }
                let found = state.stores.run(&org, &run)?;
                Ok(found.map_or(Seen::Removed, |run| Seen::Run(Box::new(run))))
            };
            let looked = rate_limits.run_in_queue(&caller, look).await;
            looked.map_or(Seen::Gone, Seen::new)
        }
        .boxed_local()
    }
}

/// The result of reading a run.
enum Seen {
    /// The run.
    Run(Box<Run>),
    /// It was deleted with its site, which cancelled it.
    Removed,
    /// The key is no longer valid, or reading failed.
    Gone,
    /// The database is temporarily unavailable.
    Away,
}

impl Seen {
    fn new(looked: Result<Self, StoreError>) -> Self {
        match looked {
            Ok(seen) => seen,
            Err(StoreError::Unavailable(_)) => Self::Away,
            Err(error @ StoreError::Failed(_)) => {
                tracing::error!(cause = %error, "run watch failed");
                Self::Gone
            }
        }
    }
}

/// The state that the client received last.
enum Shows {
    Nothing,
    Progress,
    End,
}

/// An active stream.
struct Watching {
    watch: Watch,
    stopping: watch::Receiver<bool>,
    /// The pending read. It continues across polls, so that a database that does not respond blocks at most one
    /// thread per stream.
    look: LocalBoxFuture<'static, Seen>,
    /// When data was sent last.
    sent: Instant,
    shows: Shows,
}

impl Watching {
    /// The next data; `None` at the end.
    async fn next(&mut self) -> Option<Bytes> {
        match self.shows {
            Shows::Nothing => {
                self.look = self.watch.look();
                return Some(self.show());
            }
            Shows::Progress => {}
            Shows::End => return None,
        }
        loop {
            let silence = sleep_until(self.sent + SILENCE);
            tokio::select! {
                biased;
                () = stopped(&mut self.stopping) => return None,
                seen = &mut self.look => {
                    self.look = self.watch.look();
                    match seen {
                        Seen::Run(run) if *run != self.watch.run => {
                            self.watch.run = *run;
                            return Some(self.show());
                        }
                        Seen::Run(_) | Seen::Away => {}
                        Seen::Removed => {
                            let started_at = self.watch.run.state.started_at();
                            let finished_at = self.watch.state.clock.now();
                            self.watch.run.state = RunState::Cancelled {
                                started_at,
                                finished_at,
                            };
                            return Some(self.show());
                        }
                        Seen::Gone => return None,
                    }
                }
                () = silence => {
                    self.sent = Instant::now();
                    return Some(KEEP_ALIVE);
                }
            }
        }
    }

    /// An event with the current run.
    fn show(&mut self) -> Bytes {
        let run = &self.watch.run;
        let status = run.state.status();
        let name = if status.is_final() {
            self.shows = Shows::End;
            status.as_str()
        } else {
            self.shows = Shows::Progress;
            "progress"
        };
        // A struct of strings and numbers always serializes to JSON on one line.
        let data = serde_json::to_string(&convert::run(run)).unwrap_or_default();
        self.sent = Instant::now();
        event(name, &data).into()
    }
}

/// Waits until the server stops.
async fn stopped(stopping: &mut watch::Receiver<bool>) {
    // The sender is part of this stream's state, so it is never dropped first.
    let _ = stopping.wait_for(|stopping| *stopping).await;
}

/// The wire format of an event.
pub(crate) fn event(name: &str, data: &str) -> String {
    format!("event: {name}\ndata: {data}\n\n")
}
