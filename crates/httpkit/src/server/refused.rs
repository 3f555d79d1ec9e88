//! Complete responses that no request leads to: the 429 to a connection beyond the limits, and the 400 to a head that is
//! rejected.

use std::time::Duration;

use actix_web::rt::net::TcpStream;
use actix_web::rt::time::timeout;
use tokio::io::AsyncWriteExt;

use super::connection::HeadError;
use crate::context::HttpContext;
use crate::problem::{Limit, MEDIA_TYPE, Problem};

/// `Retry-After` in seconds.
const RETRY_SECONDS: u64 = 5;
/// How long a rejected client may take to read the response.
const TIMEOUT: Duration = Duration::from_secs(1);
/// Maximum bytes read from a rejected client. Closing a connection with unread bytes resets it, and the client loses
/// the response.
const MAX_READ: usize = 16 * 1_024;

/// Sends a 429 to a client, with a short timeout.
pub(super) async fn refuse(http: &HttpContext, mut stream: TcpStream) {
    let Ok(_permit) = http.rate_limits.connections().refusals.try_acquire() else {
        return;
    };
    let answer = answer(http);
    let refusal = async {
        stream.write_all(&answer).await?;
        stream.shutdown().await?;
        let (mut read, mut bytes) = (0, [0; 1_024]);
        while read < MAX_READ {
            stream.readable().await?;
            match stream.try_read(&mut bytes) {
                Ok(0) => break,
                Ok(length) => read += length,
                Err(error) if error.kind() == std::io::ErrorKind::WouldBlock => {}
                Err(error) => return Err(error),
            }
        }
        std::io::Result::Ok(())
    };
    // It does not matter whether the client read it.
    let _ = timeout(TIMEOUT, refusal).await;
}

fn answer(http: &HttpContext) -> Vec<u8> {
    let detail = "Too many open connections from this client address or to this server.";
    let problem = Problem::rate_limited(Limit::Connections, detail, RETRY_SECONDS);
    let head = format!("429 Too Many Requests\r\nretry-after: {RETRY_SECONDS}");
    complete(http, &head, &problem)
}

/// The 400 response to a head that is rejected.
pub(super) fn bad_head(http: &HttpContext, error: HeadError) -> Vec<u8> {
    complete(http, "400 Bad Request", &Problem::invalid(error.detail()))
}

/// A complete response, after which the connection is closed. `head` begins with its status.
fn complete(http: &HttpContext, head: &str, problem: &Problem) -> Vec<u8> {
    let id = http.ids.ulid();
    let wire = problem.to_wire(&http.base_url, &id);
    // A struct of texts and numbers always serializes to JSON.
    let body = serde_json::to_string(&wire).unwrap_or_default();
    let response = format!(
        "HTTP/1.1 {head}\r\ncontent-type: {MEDIA_TYPE}\r\nx-request-id: {id}\r\ncache-control: no-store\r\n\
         x-content-type-options: nosniff\r\nconnection: close\r\ncontent-length: {}\r\n\r\n{body}",
        body.len()
    );
    response.into_bytes()
}
