//! Frames of HTTP/2, written by hand: what no library would send.

use std::io::{self, Read, Write};

/// What a client says first (RFC 9113, section 3.4).
const PREFACE: usize = 24;

/// Types of frames (RFC 9113, section 6).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum FrameType {
    /// A piece of a body.
    Data = 0,
    /// A head.
    Headers = 1,
    /// An order of streams, which is obsolete.
    Priority = 2,
    /// The end of a stream.
    Reset = 3,
    /// Settings of the connection.
    Settings = 4,
    /// The promise of an answer that nobody asked for.
    Push = 5,
    /// A question whether the other side is there.
    Ping = 6,
    /// The end of the connection.
    GoAway = 7,
    /// Leave to send more.
    WindowUpdate = 8,
    /// More of a head.
    Continuation = 9,
}

/// The last frame of a stream.
pub const END_STREAM: u8 = 1;
/// The last frame of a head.
pub const END_HEADERS: u8 = 4;
/// `:status: 200`, as the table of HPACK has it.
pub const STATUS_200: &[u8] = &[0x88];
/// `:status: 103`, written out.
pub const STATUS_103: &[u8] = &[0x08, 3, b'1', b'0', b'3'];

/// The bytes of a frame.
#[must_use]
#[expect(
    clippy::as_conversions,
    reason = "the number of a variant that has one byte"
)]
pub fn frame(kind: FrameType, flags: u8, stream: u32, payload: &[u8]) -> Vec<u8> {
    let length = u32::try_from(payload.len())
        .unwrap_or(u32::MAX)
        .to_be_bytes();
    let mut bytes = length.get(1..).unwrap_or_default().to_vec();
    bytes.extend([kind as u8, flags]);
    bytes.extend(stream.to_be_bytes());
    bytes.extend(payload);
    bytes
}

/// A field of a head, written out and not kept in the table of the connection.
#[must_use]
pub fn field(name: &str, value: &str) -> Vec<u8> {
    let mut bytes = vec![0];
    for text in [name, value] {
        // A length of up to 126 + 127 takes one or two bytes (RFC 7541, section 5.1).
        match u8::try_from(text.len()) {
            Ok(length @ 0..=126) => bytes.push(length),
            Ok(length) if length < 254 => bytes.extend([127, length - 127]),
            _ => return Vec::new(),
        }
        bytes.extend(text.as_bytes());
    }
    bytes
}

/// Reads until a request's head has come, having said hello; the number of its stream.
///
/// # Errors
/// When the connection ends before.
pub fn greet(stream: &mut (impl Read + Write)) -> io::Result<u32> {
    let mut preface = [0; PREFACE];
    stream.read_exact(&mut preface)?;
    stream.write_all(&frame(FrameType::Settings, 0, 0, &[]))?;
    stream.flush()?;
    loop {
        let mut head = [0; 9];
        stream.read_exact(&mut head)?;
        let [a, b, c, kind, _, d, e, f, g] = head;
        let mut payload = vec![0; usize::try_from(u32::from_be_bytes([0, a, b, c])).unwrap_or(0)];
        stream.read_exact(&mut payload)?;
        if kind == 1 {
            return Ok(u32::from_be_bytes([d, e, f, g]));
        }
    }
}
