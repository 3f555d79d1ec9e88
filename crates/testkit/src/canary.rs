//! A listener that must never be reached.

use std::io::{self, Read, Write};
use std::net::{IpAddr, SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread::{self, JoinHandle};
use std::time::Duration;

/// A listener that counts its connections and responds to each with the same body.
///
/// Two of them on one port of different loopback addresses represent a public and a private address of one
/// name. Dropping it ends its thread.
#[derive(Debug)]
pub struct Canary {
    address: SocketAddr,
    connections: Arc<AtomicUsize>,
    stopped: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Canary {
    /// Listens on a free port of the address.
    ///
    /// # Errors
    /// If no port can be bound.
    pub fn at(address: IpAddr, body: &'static str) -> io::Result<Self> {
        Self::on(SocketAddr::new(address, 0), body)
    }

    /// Listens on this socket.
    ///
    /// # Errors
    /// If it cannot be bound.
    pub fn on(socket: SocketAddr, body: &'static str) -> io::Result<Self> {
        let listener = TcpListener::bind(socket)?;
        let address = listener.local_addr()?;
        let connections = Arc::new(AtomicUsize::new(0));
        let stopped = Arc::new(AtomicBool::new(false));
        let thread = thread::spawn({
            let (connections, stopped) = (Arc::clone(&connections), Arc::clone(&stopped));
            move || {
                for stream in listener.incoming() {
                    if stopped.load(Ordering::SeqCst) {
                        return;
                    }
                    connections.fetch_add(1, Ordering::SeqCst);
                    if let Ok(stream) = stream {
                        // The client may have closed the connection.
                        let _ = answer(&stream, body);
                    }
                }
            }
        });
        Ok(Self {
            address,
            connections,
            stopped,
            thread: Some(thread),
        })
    }

    /// The address it listens on.
    #[must_use]
    pub const fn address(&self) -> SocketAddr {
        self.address
    }

    /// The number of opened connections, with or without a request.
    #[must_use]
    pub fn connections(&self) -> usize {
        self.connections.load(Ordering::SeqCst)
    }
}

impl Drop for Canary {
    fn drop(&mut self) {
        self.stopped.store(true, Ordering::SeqCst);
        // Wakes the thread that waits for a connection.
        let _ = TcpStream::connect(self.address);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// Reads the received part of a request and responds.
fn answer(mut stream: &TcpStream, body: &str) -> io::Result<()> {
    stream.set_read_timeout(Some(Duration::from_secs(1)))?;
    let mut head = [0; 8192];
    let _ = stream.read(&mut head)?;
    write!(
        stream,
        "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: {}\r\n\
         Connection: close\r\n\r\n{body}",
        body.len()
    )
}
