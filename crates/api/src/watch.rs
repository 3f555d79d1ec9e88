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

/// Between the end of a look at the run and the next.
const LOOK: Duration = Duration::from_secs(1);
/// How long nothing is sent at most: what stands between may hang up on connections that are silent.
const SILENCE: Duration = Duration::from_secs(15);
/// What is sent where nothing else is; clients skip it.
const KEEP_ALIVE: Bytes = Bytes::from_static(b": keep-alive\n\n");

/// A run that is to be watched to its end, for as long as the key works.
pub(crate) struct Watch {
    state: ApiState,
    key: KeyHash,
    run: Run,
    #[expect(dead_code, reason = "taken as long as it is held")]
    permit: StreamPermit,
}

impl Watch {
    /// Watches a run from where it stands. The permit is held until the stream ends or is dropped.
    pub(crate) const fn new(state: ApiState, key: KeyHash, run: Run, permit: StreamPermit) -> Self {
        Self {
            state,
            key,
            run,
            permit,
        }
    }

    /// `progress` with the run at once and with every change, then `completed`, `failed` or `cancelled`,
    /// and a comment where it is silent otherwise. A run that has ended has its last event alone, one that is
    /// removed ends as `cancelled`. It ends without an event when the key stops working or the server stops.
    ///
    /// A database that is away only keeps it waiting.
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

    /// Looks at the run, in a thread of its own; no connection to the database is held before or after.
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
            looked.map_or(Seen::Gone, Seen::of)
        }
        .boxed_local()
    }
}

/// What a look at a run showed.
enum Seen {
    /// The run.
    Run(Box<Run>),
    /// It was removed with its site, which cancelled it.
    Removed,
    /// Nothing that may be shown any more.
    Gone,
    /// Nothing for the moment.
    Away,
}

impl Seen {
    fn of(looked: Result<Self, StoreError>) -> Self {
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

/// What the client has seen of the run.
enum Shows {
    Nothing,
    Progress,
    End,
}

/// A stream under way.
struct Watching {
    watch: Watch,
    stopping: watch::Receiver<bool>,
    /// The next look. It goes on however often it is waited for: a database that does not answer holds
    /// one thread of this stream and no more.
    look: LocalBoxFuture<'static, Seen>,
    /// When something was sent last.
    sent: Instant,
    shows: Shows,
}

impl Watching {
    /// What is sent next; none at the end.
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

    /// An event with the run as it is.
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
        // A struct of texts and numbers always becomes JSON, and that on one line.
        let data = serde_json::to_string(&convert::run(run)).unwrap_or_default();
        self.sent = Instant::now();
        event(name, &data).into()
    }
}

/// Waits until the server stops.
async fn stopped(stopping: &mut watch::Receiver<bool>) {
    // The other end is in the state of this very stream, so it is never gone.
    let _ = stopping.wait_for(|stopping| *stopping).await;
}

/// An event on the wire.
pub(crate) fn event(name: &str, data: &str) -> String {
    format!("event: {name}\ndata: {data}\n\n")
}
