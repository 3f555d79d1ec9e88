//! A received request.

use std::io::{self, BufRead, Read};
use std::time::Instant;

/// The most bytes of headers that are read.
const MAX_HEAD_BYTES: u64 = 1 << 20;

/// A received request.
#[derive(Debug, Clone)]
pub struct TestRequest {
    /// The method as written.
    pub method: String,
    /// The target as written: path and query.
    pub target: String,
    /// The header fields in order, names as written.
    pub headers: Vec<(String, String)>,
    /// The body, by its `Content-Length`.
    pub body: Vec<u8>,
    /// When its headers had arrived.
    pub at: Instant,
}

impl TestRequest {
    /// The path without the query.
    #[must_use]
    pub fn path(&self) -> &str {
        self.target
            .split_once('?')
            .map_or(self.target.as_str(), |(path, _)| path)
    }

    /// The query without the question mark.
    #[must_use]
    pub fn query(&self) -> Option<&str> {
        self.target.split_once('?').map(|(_, query)| query)
    }

    /// The first value of a header field, without regard to the case of its name.
    #[must_use]
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers
            .iter()
            .find(|(found, _)| found.eq_ignore_ascii_case(name))
            .map(|(_, value)| value.as_str())
    }

    /// Reads the next request of a connection; none if the client has closed it. Bytes that do not begin like a
    /// request, such as a TLS handshake, are `InvalidData`.
    pub(super) fn read(stream: &mut impl BufRead) -> io::Result<Option<Self>> {
        let first = stream.fill_buf()?.first();
        if first.is_some_and(|byte| !byte.is_ascii_alphabetic() && !byte.is_ascii_whitespace()) {
            return Err(io::ErrorKind::InvalidData.into());
        }
        let mut head = stream.by_ref().take(MAX_HEAD_BYTES);
        let Some(line) = line(&mut head)? else {
            return Ok(None);
        };
        let mut words = line.split(' ');
        let (Some(method), Some(target)) = (words.next(), words.next()) else {
            return Err(io::Error::other("no request line"));
        };
        let mut request = Self {
            method: method.to_owned(),
            target: target.to_owned(),
            headers: Vec::new(),
            body: Vec::new(),
            at: Instant::now(),
        };
        loop {
            let line = self::line(&mut head)?.ok_or(io::ErrorKind::UnexpectedEof)?;
            if line.is_empty() {
                break;
            }
            let (name, value) = line
                .split_once(':')
                .ok_or_else(|| io::Error::other("a header without a colon"))?;
            request
                .headers
                .push((name.to_owned(), value.trim().to_owned()));
        }
        request.at = Instant::now();
        let length = request
            .header("content-length")
            .and_then(|length| length.parse().ok())
            .unwrap_or(0);
        stream.take(length).read_to_end(&mut request.body)?;
        Ok(Some(request))
    }
}

fn line(stream: &mut impl BufRead) -> io::Result<Option<String>> {
    let mut bytes = Vec::new();
    if stream.read_until(b'\n', &mut bytes)? == 0 {
        return Ok(None);
    }
    let line = String::from_utf8_lossy(&bytes);
    Ok(Some(line.trim_end_matches(['\r', '\n']).to_owned()))
}
