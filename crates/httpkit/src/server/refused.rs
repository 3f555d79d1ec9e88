//! The 429 response to a connection beyond the limits.

use std::time::Duration;

use actix_web::rt::net::TcpStream;
use actix_web::rt::time::timeout;
use tokio::io::AsyncWriteExt;

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
        stream.write_all(answer.as_bytes()).await?;
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

fn answer(http: &HttpContext) -> String {
    let detail = "Too many open connections from this client address or to this server.";
    let problem = Problem::rate_limited(Limit::Connections, detail, RETRY_SECONDS);
    let id = http.ids.ulid();
    let wire = problem.to_wire(&http.base_url, &id);
    // A struct of texts and numbers always serializes to JSON.
    let body = serde_json::to_string(&wire).unwrap_or_default();
    format!(
        "HTTP/1.1 429 Too Many Requests\r\ncontent-type: {MEDIA_TYPE}\r\nretry-after: {RETRY_SECONDS}\r\n\
         x-request-id: {id}\r\ncache-control: no-store\r\nconnection: close\r\ncontent-length: {}\r\n\r\n{body}",
        body.len()
    )
}
