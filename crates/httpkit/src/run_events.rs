//! A run as a stream of server-sent events.

use std::convert::Infallible;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use actix_web::http::header::{self, HeaderName, HeaderValue};
use actix_web::rt::time::{Instant, sleep, sleep_until};
use actix_web::web::Bytes;
use actix_web::{HttpMessage, HttpRequest, HttpResponse};
use domain::ports::{Clock, StoreError};
use domain::run::{Run, RunState};
use futures_util::future::{FutureExt, LocalBoxFuture};
use futures_util::stream::{self, Stream};
use tokio::sync::watch;

use crate::rate_limits::{Caller, HeldPermits, RateLimits, StreamPermit};

/// The polling interval of the run.
const LOOK: Duration = Duration::from_secs(1);
/// The keep-alive interval, because proxies may close idle connections.
const SILENCE: Duration = Duration::from_secs(15);
/// The keep-alive comment, which clients ignore.
const KEEP_ALIVE: Bytes = Bytes::from_static(b": keep-alive\n\n");
/// Proxies that support this header forward data immediately.
const X_ACCEL_BUFFERING: HeaderName = HeaderName::from_static("x-accel-buffering");

/// Reads a watched run for the client, if it may still see it. It may block.
pub type ReadRun = Arc<dyn Fn() -> Result<Look, StoreError> + Send + Sync>;

/// Writes the data of an event, on one line.
pub type WriteData = Arc<dyn Fn(&Run) -> String + Send + Sync>;

/// The result of reading a watched run.
pub enum Look {
    /// The run.
    Run(Box<Run>),
    /// It was deleted with its site, which cancelled it.
    Removed,
    /// The client may not see it any more.
    Denied,
}

/// A watched run; its stream of events lasts until the run ends or the client may not see it any more.
pub struct RunWatch {
    /// The run as the client sees it first.
    pub run: Run,
    /// Reads the run again.
    pub read: ReadRun,
    /// Writes the data of the events.
    pub data: WriteData,
    /// The time.
    pub clock: Arc<dyn Clock>,
    /// Where reads wait for a thread, and which stops the stream.
    pub rate_limits: RateLimits,
    /// Held until the stream ends or is dropped.
    pub permit: StreamPermit,
}

impl fmt::Debug for RunWatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("RunWatch");
        shown.field("run", &self.run.id).finish_non_exhaustive()
    }
}

impl RunWatch {
    /// The stream as the response to a request. The request does not count as one under way while the stream lasts,
    /// since the stream has a permit of its own.
    pub fn respond(self, request: &HttpRequest) -> HttpResponse {
        request.extensions_mut().remove::<HeldPermits>();
        HttpResponse::Ok()
            .content_type("text/event-stream")
            .insert_header((header::CACHE_CONTROL, HeaderValue::from_static("no-store")))
            .insert_header((X_ACCEL_BUFFERING, HeaderValue::from_static("no")))
            .streaming(self.events())
    }

    /// `progress` immediately and after each change, then `completed`, `failed` or `cancelled`, and a keep-alive
    /// comment when idle. A run that has ended sends only its last event; a deleted run ends as `cancelled`. The
    /// stream ends without an event if the client may not see the run any more or the server stops.
    ///
    /// While the database is unreachable, the stream waits. In between it holds no thread and no connection to the
    /// database.
    fn events(self) -> impl Stream<Item = Result<Bytes, Infallible>> {
        let watching = Watching {
            stopping: self.rate_limits.stopping(),
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
        let (read, rate_limits) = (Arc::clone(&self.read), self.rate_limits.clone());
        let caller = Caller::Organization(self.run.org_id.clone());
        async move {
            sleep(LOOK).await;
            let looked = rate_limits.run_in_queue(&caller, move || read()).await;
            looked.map_or(Seen::Gone, Seen::new)
        }
        .boxed_local()
    }
}

/// What is known after a read.
enum Seen {
    /// The run.
    Run(Box<Run>),
    /// It was deleted with its site, which cancelled it.
    Removed,
    /// The client may not see it any more, or reading failed.
    Gone,
    /// The database is temporarily unavailable.
    Away,
}

impl Seen {
    fn new(looked: Result<Look, StoreError>) -> Self {
        match looked {
            Ok(Look::Run(run)) => Self::Run(run),
            Ok(Look::Removed) => Self::Removed,
            Ok(Look::Denied) => Self::Gone,
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
    watch: RunWatch,
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
                            let finished_at = self.watch.clock.now();
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
        let data = (self.watch.data)(run);
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
#[must_use]
pub fn event(name: &str, data: &str) -> String {
    format!("event: {name}\ndata: {data}\n\n")
}
