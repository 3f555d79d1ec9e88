//! A small scripted DNS server on 127.0.0.1.

use std::collections::HashMap;
use std::io;
use std::net::{IpAddr, Ipv4Addr, SocketAddr, UdpSocket};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

/// The requested record type.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum DnsRecord {
    /// IPv4 addresses.
    A,
    /// IPv6 addresses.
    Aaaa,
    /// Anything else.
    Other,
}

/// A received query.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DnsQuestion {
    /// The name in lower case, without the root dot.
    pub name: String,
    /// The type of record.
    pub record: DnsRecord,
    /// The number of earlier queries for this name and type.
    pub asked_before: usize,
}

/// The response of a [`DnsServer`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DnsAnswer {
    /// These addresses, if they are of the requested type, with a time to live in seconds.
    Addresses(Vec<IpAddr>, u32),
    /// There is no such name.
    NoSuchName,
    /// The server failed.
    Failure,
    /// No response.
    Silence,
    /// These bytes after the id of the query.
    Garbage(Vec<u8>),
}

impl DnsAnswer {
    /// Addresses with a time to live of zero.
    ///
    /// # Panics
    /// If a text is not an address.
    #[must_use]
    #[expect(clippy::expect_used, reason = "a test's address is a literal")]
    pub fn fleeting(addresses: &[&str]) -> Self {
        let parsed = addresses
            .iter()
            .map(|address| address.parse().expect("an address"))
            .collect();
        Self::Addresses(parsed, 0)
    }
}

/// A DNS server over UDP on a free port of 127.0.0.1. A function returns the responses.
///
/// Dropping it ends its thread.
#[derive(Debug)]
pub struct DnsServer {
    address: SocketAddr,
    asked: Arc<Mutex<Vec<DnsQuestion>>>,
    stopped: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl DnsServer {
    /// Starts a server that responds according to the script.
    ///
    /// # Errors
    /// If no port of 127.0.0.1 can be bound.
    pub fn start(script: impl Fn(&DnsQuestion) -> DnsAnswer + Send + 'static) -> io::Result<Self> {
        let socket = UdpSocket::bind((Ipv4Addr::LOCALHOST, 0))?;
        let address = socket.local_addr()?;
        let asked = Arc::default();
        let stopped = Arc::new(AtomicBool::new(false));
        let thread = thread::spawn({
            let (asked, stopped) = (Arc::clone(&asked), Arc::clone(&stopped));
            move || serve(&socket, &script, &asked, &stopped)
        });
        Ok(Self {
            address,
            asked,
            stopped,
            thread: Some(thread),
        })
    }

    /// The address it listens on, for `[egress] dns_server`.
    #[must_use]
    pub const fn address(&self) -> SocketAddr {
        self.address
    }

    /// Queries it for IPv4 addresses, like a client that trusts every response.
    ///
    /// # Errors
    /// If it does not respond within a second.
    pub fn look_up(&self, name: &str) -> io::Result<Vec<IpAddr>> {
        let socket = UdpSocket::bind((Ipv4Addr::LOCALHOST, 0))?;
        socket.set_read_timeout(Some(Duration::from_secs(1)))?;
        let mut query = b"\0\x01\x01\0\0\x01\0\0\0\0\0\0".to_vec();
        for label in name.split('.') {
            query.push(u8::try_from(label.len()).map_err(io::Error::other)?);
            query.extend(label.as_bytes());
        }
        query.extend([0, 0, 1, 0, 1]);
        socket.send_to(&query, self.address)?;
        let mut packet = [0; 4096];
        let (length, _) = socket.recv_from(&mut packet)?;
        // Each record ends with an address after twelve bytes of name, type, class, time and length.
        let records = packet.get(query.len()..length).unwrap_or_default();
        Ok(records
            .chunks_exact(16)
            .filter_map(|record| record.last_chunk::<4>())
            .map(|octets| IpAddr::from(*octets))
            .collect())
    }

    /// Every query in order.
    #[must_use]
    pub fn questions(&self) -> Vec<DnsQuestion> {
        self.asked
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    /// The number of queries of this type for the name.
    #[must_use]
    pub fn asked(&self, name: &str, record: DnsRecord) -> usize {
        self.questions()
            .iter()
            .filter(|question| question.name == name && question.record == record)
            .count()
    }
}

impl Drop for DnsServer {
    fn drop(&mut self) {
        self.stopped.store(true, Ordering::SeqCst);
        // Wakes the thread that waits for a query.
        if let Ok(socket) = UdpSocket::bind((Ipv4Addr::LOCALHOST, 0)) {
            let _ = socket.send_to(&[], self.address);
        }
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

fn serve(
    socket: &UdpSocket,
    script: &dyn Fn(&DnsQuestion) -> DnsAnswer,
    asked: &Mutex<Vec<DnsQuestion>>,
    stopped: &AtomicBool,
) {
    let mut counts: HashMap<(String, DnsRecord), usize> = HashMap::new();
    let mut packet = [0; 4096];
    while let Ok((length, from)) = socket.recv_from(&mut packet) {
        if stopped.load(Ordering::SeqCst) {
            return;
        }
        let query = packet.get(..length).unwrap_or_default();
        let Some((name, record, end)) = question(query) else {
            continue;
        };
        let count = counts.entry((name.clone(), record)).or_default();
        let question = DnsQuestion {
            name,
            record,
            asked_before: *count,
        };
        *count += 1;
        asked
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .push(question.clone());
        let answer = script(&question);
        if let Some(bytes) = message(query, end, record, &answer) {
            // The client may have closed its socket.
            let _ = socket.send_to(&bytes, from);
        }
    }
}

/// The queried name and type, and the end of the question (RFC 1035, section 4.1).
fn question(query: &[u8]) -> Option<(String, DnsRecord, usize)> {
    let mut at = 12;
    let mut labels = Vec::new();
    loop {
        let length = usize::from(*query.get(at)?);
        at += 1;
        if length == 0 {
            break;
        }
        let label = query.get(at..at + length)?;
        labels.push(String::from_utf8_lossy(label).to_ascii_lowercase());
        at += length;
    }
    let record = match query.get(at..at + 2)? {
        [0, 1] => DnsRecord::A,
        [0, 28] => DnsRecord::Aaaa,
        _ => DnsRecord::Other,
    };
    Some((labels.join("."), record, at + 4))
}

fn message(query: &[u8], end: usize, record: DnsRecord, answer: &DnsAnswer) -> Option<Vec<u8>> {
    let (code, addresses, ttl) = match answer {
        DnsAnswer::Addresses(addresses, ttl) => (0, addresses.as_slice(), *ttl),
        DnsAnswer::NoSuchName => (3, [].as_slice(), 0),
        DnsAnswer::Failure => (2, [].as_slice(), 0),
        DnsAnswer::Silence => return None,
        DnsAnswer::Garbage(bytes) => {
            return Some([query.get(..2)?, bytes].concat());
        }
    };
    let data: Vec<Vec<u8>> = addresses
        .iter()
        .filter_map(|address| match (address, record) {
            (IpAddr::V4(v4), DnsRecord::A) => Some(v4.octets().to_vec()),
            (IpAddr::V6(v6), DnsRecord::Aaaa) => Some(v6.octets().to_vec()),
            _ => None,
        })
        .collect();
    let count = u16::try_from(data.len()).ok()?;
    let mut bytes = query.get(..2)?.to_vec();
    // An authoritative response, recursion available.
    bytes.extend([0x85, 0x80 | code, 0, 1]);
    bytes.extend(count.to_be_bytes());
    bytes.extend([0, 0, 0, 0]);
    bytes.extend(query.get(12..end)?);
    for data in data {
        // The name is that of the question.
        bytes.extend([0xc0, 12]);
        bytes.extend(query.get(end - 4..end)?);
        bytes.extend(ttl.to_be_bytes());
        bytes.extend(u16::try_from(data.len()).ok()?.to_be_bytes());
        bytes.extend(data);
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_query_is_answered_and_counted() {
        let server = DnsServer::start(|question| {
            assert_eq!(question.asked_before, 0);
            DnsAnswer::fleeting(&["192.0.2.7", "2001:db8::7"])
        })
        .unwrap();
        let found = server.look_up("WWW.example").unwrap();
        assert_eq!(found, [IpAddr::from([192, 0, 2, 7])]);
        assert_eq!(server.asked("www.example", DnsRecord::A), 1);
    }
}
