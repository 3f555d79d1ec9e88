//! Handwritten HTTP/2 frames, for bytes that no library would send.

use std::io::{self, Read, Write};

/// The length of the client's connection preface (RFC 9113, section 3.4).
const PREFACE: usize = 24;

/// Frame types (RFC 9113, section 6).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum FrameType {
    /// A part of a body.
    Data = 0,
    /// A header block.
    Headers = 1,
    /// The priority of a stream, which is obsolete.
    Priority = 2,
    /// Resets a stream.
    Reset = 3,
    /// Settings of the connection.
    Settings = 4,
    /// A push promise.
    Push = 5,
    /// A ping.
    Ping = 6,
    /// Closes the connection.
    GoAway = 7,
    /// Increments the flow-control window.
    WindowUpdate = 8,
    /// The continuation of a header block.
    Continuation = 9,
}

/// The last frame of a stream.
pub const END_STREAM: u8 = 1;
/// The last frame of a header block.
pub const END_HEADERS: u8 = 4;
/// `:status: 200` from the static table of HPACK.
pub const STATUS_200: &[u8] = &[0x88];
/// `:status: 103` as a literal.
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

/// A literal header field that is not added to the dynamic table.
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

/// Reads the preface, sends the settings, and reads until the header block of a request has arrived. Returns the id of its stream.
///
/// # Errors
/// If the connection ends before that.
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
