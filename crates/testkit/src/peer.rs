//! A listener on 127.0.0.1 that controls connections byte by byte.

use std::io::{self, Write};
use std::net::{Ipv4Addr, Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};

use rustls::ServerConfig;

use crate::tls::{self, TlsStream};

type Serve = dyn Fn(TcpStream) + Send + Sync;

/// A listener on a free port of 127.0.0.1. It passes each connection to a function on its own thread.
///
/// Dropping it closes every connection, which ends reads and writes of the function, and waits for its threads.
#[derive(Debug)]
pub struct Peer {
    address: SocketAddr,
    shared: Arc<Mutex<State>>,
    accepting: Option<JoinHandle<()>>,
}

#[derive(Debug, Default)]
struct State {
    stopped: bool,
    streams: Vec<TcpStream>,
    threads: Vec<JoinHandle<()>>,
}

impl Peer {
    /// Starts to listen.
    ///
    /// # Errors
    /// If no port of 127.0.0.1 can be bound.
    pub fn start(serve: impl Fn(TcpStream) + Send + Sync + 'static) -> io::Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
        let address = listener.local_addr()?;
        let shared = Arc::default();
        let accepting = thread::spawn({
            let shared = Arc::clone(&shared);
            let serve: Arc<Serve> = Arc::new(serve);
            move || accept(&listener, &shared, &serve)
        });
        Ok(Self {
            address,
            shared,
            accepting: Some(accepting),
        })
    }

    /// Starts to listen for TLS. Connections whose handshake fails are closed.
    ///
    /// # Errors
    /// If no port of 127.0.0.1 can be bound.
    pub fn start_tls(
        config: Arc<ServerConfig>,
        serve: impl Fn(&mut TlsStream) -> io::Result<()> + Send + Sync + 'static,
    ) -> io::Result<Self> {
        Self::start(move |stream| {
            // The connection ends if the client does not read the response, or if the handshake fails.
            let _ = tls::accept_tls(&config, stream).and_then(|mut stream| {
                serve(&mut stream)?;
                stream.conn.send_close_notify();
                stream.flush()
            });
        })
    }

    /// The address it listens on.
    #[must_use]
    pub const fn address(&self) -> SocketAddr {
        self.address
    }

    /// The number of opened connections.
    #[must_use]
    pub fn connections(&self) -> usize {
        lock(&self.shared).streams.len()
    }
}

impl Drop for Peer {
    fn drop(&mut self) {
        let mut state = lock(&self.shared);
        state.stopped = true;
        for stream in &state.streams {
            let _ = stream.shutdown(Shutdown::Both);
        }
        drop(state);
        // Wakes the thread that waits for a connection.
        let _ = TcpStream::connect(self.address);
        if let Some(accepting) = self.accepting.take() {
            let _ = accepting.join();
        }
        let threads = std::mem::take(&mut lock(&self.shared).threads);
        for thread in threads {
            // A function that panicked has failed its test already.
            let _ = thread.join();
        }
    }
}

fn lock(shared: &Mutex<State>) -> std::sync::MutexGuard<'_, State> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

fn accept(listener: &TcpListener, shared: &Mutex<State>, serve: &Arc<Serve>) {
    for stream in listener.incoming() {
        let mut state = lock(shared);
        if state.stopped {
            return;
        }
        let Ok(stream) = stream else { continue };
        let Ok(kept) = stream.try_clone() else {
            continue;
        };
        state.streams.push(kept);
        let serve = Arc::clone(serve);
        state.threads.push(thread::spawn(move || {
            let closing = stream.try_clone();
            serve(stream);
            // The kept clone would keep the connection open.
            if let Ok(closing) = closing {
                let _ = closing.shutdown(Shutdown::Both);
            }
        }));
    }
}
