//! One connection: requests and responses in sequence.

use std::io::{self, BufReader, Write};
use std::net::TcpStream;
use std::time::Duration;

use super::response::Body;
use super::{Shared, TestRequest, TestResponse};

/// The response of servers to an invalid request.
const NO_REQUEST: &[u8] =
    b"HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Length: 0\r\n\r\n";

/// How a connection ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    /// After all sent bytes were delivered.
    Orderly,
    /// By a reset.
    Reset,
}

/// Serves the connection until either side ends it.
pub(super) fn serve(shared: &Shared, stream: &TcpStream) -> End {
    // Responses are written at once, so waiting for more data would slow every test down.
    let _ = stream.set_nodelay(true);
    let mut reader = BufReader::new(stream);
    // The connection ends after an invalid request, or if the client does not read the response.
    loop {
        let request = match TestRequest::read(&mut reader) {
            Ok(Some(request)) => request,
            Err(error) if error.kind() == io::ErrorKind::InvalidData => {
                let mut stream = stream;
                let _ = stream.write_all(NO_REQUEST);
                return End::Orderly;
            }
            Ok(None) | Err(_) => return End::Orderly,
        };
        let response = shared.answer(&request);
        match send(shared, stream, &response, request.method == "HEAD") {
            Ok(true) => {}
            Ok(false) if matches!(response.body, Body::Reset(_)) => return End::Reset,
            Ok(false) | Err(_) => return End::Orderly,
        }
    }
}

/// Sends a response. Returns whether the connection stays open for the next request.
fn send(
    shared: &Shared,
    mut stream: &TcpStream,
    response: &TestResponse,
    head_only: bool,
) -> io::Result<bool> {
    if !response.delay.is_zero() && !shared.pause(response.delay) {
        return Ok(false);
    }
    match &response.body {
        Body::Raw(bytes) | Body::Reset(bytes) => stream.write_all(bytes)?,
        Body::RawEndless(beginning, piece, pause) => {
            stream.write_all(beginning)?;
            again_and_again(shared, stream, piece, *pause)?;
        }
        Body::RawDrip(bytes, pause) => drip(shared, stream, bytes, *pause)?,
        Body::Hang => {
            // Ends when the other side closes the connection, or when the server is stopped.
            io::copy(&mut stream, &mut io::sink())?;
        }
        Body::Close => {}
        body => {
            let (head, ends) = response.head();
            if head_only {
                stream.write_all(head.as_bytes())?;
            } else {
                send_body(shared, stream, head, body)?;
            }
            return Ok(!ends);
        }
    }
    Ok(false)
}

fn send_body(shared: &Shared, mut stream: &TcpStream, head: String, body: &Body) -> io::Result<()> {
    let mut bytes = head.into_bytes();
    match body {
        Body::Whole(body) => {
            bytes.extend_from_slice(body);
            stream.write_all(&bytes)?;
        }
        Body::Chunked(chunks) => {
            for chunk in chunks.iter().filter(|chunk| !chunk.is_empty()) {
                write!(bytes, "{:x}\r\n", chunk.len())?;
                bytes.extend_from_slice(chunk);
                bytes.extend_from_slice(b"\r\n");
            }
            bytes.extend_from_slice(b"0\r\n\r\n");
            stream.write_all(&bytes)?;
        }
        Body::CutAfter(body, sent) => {
            bytes.extend_from_slice(body.get(..*sent).unwrap_or(body));
            stream.write_all(&bytes)?;
        }
        Body::Drip(body, pause) => {
            stream.write_all(&bytes)?;
            drip(shared, stream, body, *pause)?;
        }
        Body::Endless(piece) => {
            stream.write_all(&bytes)?;
            again_and_again(shared, stream, piece, Duration::ZERO)?;
        }
        Body::Repeated(piece, times) => {
            stream.write_all(&bytes)?;
            for _ in 0..*times {
                stream.write_all(piece)?;
            }
        }
        // These have no headers, and so no body after them.
        Body::Raw(_)
        | Body::RawDrip(..)
        | Body::RawEndless(..)
        | Body::Reset(_)
        | Body::Hang
        | Body::Close => {}
    }
    Ok(())
}

fn again_and_again(
    shared: &Shared,
    mut stream: &TcpStream,
    piece: &[u8],
    pause: Duration,
) -> io::Result<()> {
    while !piece.is_empty() && shared.pause(pause) {
        stream.write_all(piece)?;
    }
    Ok(())
}

fn drip(shared: &Shared, mut stream: &TcpStream, bytes: &[u8], pause: Duration) -> io::Result<()> {
    for byte in bytes {
        stream.write_all(std::slice::from_ref(byte))?;
        if !shared.pause(pause) {
            break;
        }
    }
    Ok(())
}
