//! A server that is faster than any crawler.

use std::collections::HashMap;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use super::LargeSite;

/// The most bytes of the headers of a request.
const MAX_HEAD_BYTES: u64 = 64 << 10;

/// The options of the server.
#[derive(Debug, Clone, Copy, Default)]
pub struct ServeOptions {
    /// The port of 127.0.0.1; 0 for a free one.
    pub port: u16,
    /// Whether pages are sent in gzip to clients that accept it.
    pub gzip: bool,
}

/// A [`LargeSite`] on a port of 127.0.0.1: one thread per connection, keep-alive, requests counted and not
/// stored. It serves until the process ends.
#[derive(Debug)]
pub struct LargeSiteServer {
    listener: TcpListener,
    address: SocketAddr,
    gzip: bool,
}

impl LargeSiteServer {
    /// Binds the port; [`LargeSiteServer::serve`] responds.
    ///
    /// # Errors
    /// If the port cannot be bound.
    pub fn bind(options: ServeOptions) -> io::Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, options.port))?;
        let address = listener.local_addr()?;
        Ok(Self {
            listener,
            address,
            gzip: options.gzip,
        })
    }

    /// Scheme, host and port.
    #[must_use]
    pub fn origin(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Serves requests until the process ends.
    pub fn serve(&self, site: &LargeSite) {
        let large = Arc::new(Kept::default());
        let gzip = self.gzip;
        for stream in self.listener.incoming().flatten() {
            let (site, large) = (site.clone(), Arc::clone(&large));
            thread::spawn(move || {
                // A connection ends when the client closes it.
                let _ = converse(&site, &large, gzip, &stream);
            });
        }
    }
}

/// Cached responses that are expensive and few: the sitemaps.
#[derive(Debug, Default)]
struct Kept {
    bodies: Mutex<HashMap<String, Arc<[u8]>>>,
}

impl Kept {
    fn answer(&self, site: &LargeSite, path: &str, out: &mut Vec<u8>) {
        if !path.starts_with("/sitemap") {
            write_answer(site, path, out);
            return;
        }
        let mut bodies = self.bodies.lock().unwrap_or_else(PoisonError::into_inner);
        let whole = bodies.entry(path.to_owned()).or_insert_with(|| {
            let mut made = Vec::new();
            write_answer(site, path, &mut made);
            made.into()
        });
        out.extend_from_slice(whole);
    }
}

fn converse(site: &LargeSite, kept: &Kept, gzip: bool, mut stream: &TcpStream) -> io::Result<()> {
    stream.set_nodelay(true)?;
    let mut reader = BufReader::new(stream);
    let mut line = Vec::new();
    let mut out = Vec::with_capacity(32 << 10);
    loop {
        let mut head = reader.by_ref().take(MAX_HEAD_BYTES);
        line.clear();
        if head.read_until(b'\n', &mut line)? == 0 {
            return Ok(());
        }
        let request = String::from_utf8_lossy(&line).into_owned();
        let mut words = request.split(' ');
        let (Some(method), Some(target)) = (words.next(), words.next()) else {
            return Ok(());
        };
        let (mut last, mut accepted) = (false, false);
        loop {
            line.clear();
            if head.read_until(b'\n', &mut line)? == 0 {
                return Ok(());
            }
            let field = line.trim_ascii();
            if field.is_empty() {
                break;
            }
            accepted |= gzip && accepts_gzip(field);
            last |= field.eq_ignore_ascii_case(b"connection: close");
        }
        let path = target.split_once('?').map_or(target, |(path, _)| path);
        out.clear();
        match accepted.then(|| site.compressed(path)).flatten() {
            Some(body) => write_compressed(&body, &mut out),
            None => kept.answer(site, path, &mut out),
        }
        if method == "HEAD"
            && let Some(end) = out.windows(4).position(|four| four == b"\r\n\r\n")
        {
            out.truncate(end + 4);
        }
        stream.write_all(&out)?;
        if last {
            return Ok(());
        }
    }
}

fn accepts_gzip(field: &[u8]) -> bool {
    const NAME: &[u8] = b"accept-encoding:";
    field
        .split_at_checked(NAME.len())
        .is_some_and(|(name, value)| {
            name.eq_ignore_ascii_case(NAME) && value.windows(4).any(|word| word == b"gzip")
        })
}

fn write_compressed(body: &[u8], out: &mut Vec<u8>) {
    // Writing to memory cannot fail.
    let _ = write!(
        out,
        "HTTP/1.1 200 Test\r\nContent-Type: text/html; charset=utf-8\r\nContent-Encoding: gzip\r\nVary: Accept-Encoding\r\nContent-Length: {}\r\n\r\n",
        body.len()
    );
    out.extend_from_slice(body);
}

fn write_answer(site: &LargeSite, path: &str, out: &mut Vec<u8>) {
    let answer = site.answer(path);
    let location = answer
        .location
        .map(|location| format!("Location: {location}\r\n"))
        .unwrap_or_default();
    // Writing to memory cannot fail.
    let _ = write!(
        out,
        "HTTP/1.1 {} Test\r\nContent-Type: {}\r\nContent-Length: {}\r\n{location}\r\n",
        answer.status,
        answer.media_type,
        answer.body.len()
    );
    out.extend_from_slice(&answer.body);
}
