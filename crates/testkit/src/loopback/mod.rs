//! A programmable HTTP/1.1 server on 127.0.0.1.

mod connection;
mod request;
mod response;
#[cfg(test)]
mod tests;

use std::collections::HashMap;
use std::io;
use std::net::{Ipv4Addr, Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use audit_engine::gather::{Method, RECORDING_BASE, Recording, Request};
use url::Url;

use connection::End;
pub use request::TestRequest;
pub use response::TestResponse;

type Handler = dyn Fn(&TestRequest) -> TestResponse + Send + Sync;

/// A real server on a free port of 127.0.0.1. A function returns the responses.
///
/// Every connection has its own thread and is kept alive between requests. Dropping the server closes every
/// connection in any state, and waits for its threads.
#[derive(Debug)]
pub struct LoopbackServer {
    address: SocketAddr,
    shared: Arc<Shared>,
    accepting: Option<JoinHandle<()>>,
}

struct Shared {
    handler: Box<Handler>,
    state: Mutex<State>,
    stopping: Condvar,
}

impl std::fmt::Debug for Shared {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Shared")
            .field("state", &self.state)
            .finish_non_exhaustive()
    }
}

#[derive(Debug, Default)]
struct State {
    stopped: bool,
    requests: Vec<TestRequest>,
    accepted: usize,
    most_at_once: usize,
    open: HashMap<usize, TcpStream>,
    threads: Vec<JoinHandle<()>>,
}

impl LoopbackServer {
    /// Starts a server with a handler for its responses.
    ///
    /// # Errors
    /// If no port of 127.0.0.1 can be bound.
    pub fn start(
        handler: impl Fn(&TestRequest) -> TestResponse + Send + Sync + 'static,
    ) -> io::Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
        let address = listener.local_addr()?;
        let shared = Arc::new(Shared {
            handler: Box::new(handler),
            state: Mutex::default(),
            stopping: Condvar::new(),
        });
        let accepting = thread::spawn({
            let shared = Arc::clone(&shared);
            move || shared.accept(&listener)
        });
        Ok(Self {
            address,
            shared,
            accepting: Some(accepting),
        })
    }

    /// Starts a server that responds from a recording of `https://example.com/`.
    ///
    /// # Errors
    /// If no port of 127.0.0.1 can be bound.
    pub fn replay(recording: Recording) -> io::Result<Self> {
        Self::start(move |request| {
            replayed(&recording, request).unwrap_or_else(TestResponse::close)
        })
    }

    /// The address it listens on.
    #[must_use]
    pub const fn address(&self) -> SocketAddr {
        self.address
    }

    /// The `address:port` for `--allow-target`.
    #[must_use]
    pub fn target(&self) -> String {
        self.address.to_string()
    }

    /// The URL of a path, which begins with a slash.
    ///
    /// # Panics
    /// When the path makes no URL.
    #[must_use]
    #[expect(
        clippy::expect_used,
        reason = "a test's path is a literal, and the address always makes a URL"
    )]
    pub fn url(&self, path: &str) -> Url {
        Url::parse(&format!("http://{}{path}", self.address)).expect("a path makes a URL")
    }

    /// Every request whose headers arrived completely, in order.
    #[must_use]
    pub fn requests(&self) -> Vec<TestRequest> {
        self.shared.state().requests.clone()
    }

    /// Every request as `GET /path?query`, in order.
    #[must_use]
    pub fn log(&self) -> Vec<String> {
        self.shared
            .state()
            .requests
            .iter()
            .map(|request| format!("{} {}", request.method, request.target))
            .collect()
    }

    /// The number of requests for the path, with any query and method.
    #[must_use]
    pub fn hits(&self, path: &str) -> usize {
        self.shared
            .state()
            .requests
            .iter()
            .filter(|request| request.path() == path)
            .count()
    }

    /// The number of opened connections, with or without a request.
    #[must_use]
    pub fn connections(&self) -> usize {
        self.shared.state().accepted
    }

    /// The most connections that were open at the same time.
    #[must_use]
    pub fn most_connections_at_once(&self) -> usize {
        self.shared.state().most_at_once
    }
}

impl Drop for LoopbackServer {
    fn drop(&mut self) {
        self.shared.stop();
        // Wakes the thread that waits for a connection.
        let _ = TcpStream::connect(self.address);
        if let Some(accepting) = self.accepting.take() {
            let _ = accepting.join();
        }
        let threads = std::mem::take(&mut self.shared.state().threads);
        for thread in threads {
            // A handler that panicked has failed its test already.
            let _ = thread.join();
        }
    }
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn accept(self: &Arc<Self>, listener: &TcpListener) {
        for stream in listener.incoming() {
            let Ok(stream) = stream else { continue };
            let Some(number) = self.admit(&stream) else {
                return;
            };
            let connection = Open {
                shared: Arc::clone(self),
                stream,
                number,
                end: End::Orderly,
            };
            let thread = thread::spawn(move || connection.serve());
            self.state().threads.push(thread);
        }
    }

    /// Counts a connection; none if the server was stopped.
    fn admit(&self, stream: &TcpStream) -> Option<usize> {
        let clone = stream.try_clone().ok();
        let mut state = self.state();
        if state.stopped {
            return None;
        }
        let number = state.accepted;
        state.accepted += 1;
        if let Some(clone) = clone {
            state.open.insert(number, clone);
        }
        state.most_at_once = state.most_at_once.max(state.open.len());
        Some(number)
    }

    fn stop(&self) {
        let mut state = self.state();
        state.stopped = true;
        for stream in state.open.values() {
            let _ = stream.shutdown(Shutdown::Both);
        }
        drop(state);
        self.stopping.notify_all();
    }

    /// Waits for this time, or until the server is stopped. Returns whether it still runs.
    fn pause(&self, time: Duration) -> bool {
        let state = self.state();
        let (state, _) = self
            .stopping
            .wait_timeout_while(state, time, |state| !state.stopped)
            .unwrap_or_else(PoisonError::into_inner);
        !state.stopped
    }

    fn answer(&self, request: &TestRequest) -> TestResponse {
        self.state().requests.push(request.clone());
        (self.handler)(request)
    }
}

/// A connection that is being served. It ends with its thread, also if a handler panics.
struct Open {
    shared: Arc<Shared>,
    stream: TcpStream,
    number: usize,
    end: End,
}

impl Open {
    fn serve(mut self) {
        let end = connection::serve(&self.shared, &self.stream);
        self.end_with(end);
    }

    const fn end_with(&mut self, end: End) {
        self.end = end;
    }
}

impl Drop for Open {
    fn drop(&mut self) {
        match self.end {
            // The clone for `stop` would keep the socket open.
            End::Orderly => drop(self.stream.shutdown(Shutdown::Both)),
            End::Reset => drop(reset_when_closed(&self.stream)),
        }
        self.shared.state().open.remove(&self.number);
    }
}

/// Makes the connection end with a reset. The standard library has no stable function for it.
fn reset_when_closed(stream: &TcpStream) -> io::Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_io()
        .build()?;
    let _entered = runtime.enter();
    let clone = stream.try_clone()?;
    clone.set_nonblocking(true)?;
    tokio::net::TcpStream::from_std(clone)?.set_zero_linger()
}

fn replayed(recording: &Recording, request: &TestRequest) -> Option<TestResponse> {
    let url = Url::parse(RECORDING_BASE)
        .ok()?
        .join(&request.target)
        .ok()?;
    let mut asked = Request::get(url, u64::MAX);
    if request.method == Method::Head.as_str() {
        asked.method = Method::Head;
    }
    let answer = recording.answer(&asked).ok()?;
    let response = TestResponse::new(answer.status, answer.body);
    Some(
        answer
            .headers
            .iter()
            .fold(response, |response, (name, value)| {
                response.header(name, value)
            }),
    )
}
