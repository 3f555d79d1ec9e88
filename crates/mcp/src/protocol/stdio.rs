//! The protocol over the standard input and output.

use client::Client;
use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use rmcp::ServiceExt;
use rmcp::transport::stdio;

use super::server::{Caller, Server};

/// Why the conversation ended.
#[derive(Debug, thiserror::Error)]
#[error("the conversation with the agent broke off: {0}")]
pub struct StdioError(String);

/// Speaks with the program that started this one, until it closes the standard input.
///
/// # Errors
/// When what it says is none of the protocol.
pub fn serve_stdio(client: Client) -> BoxFuture<'static, Result<(), StdioError>> {
    // Boxed, so that the library is compiled with this crate and not anew with each program.
    serve(client).boxed()
}

async fn serve(client: Client) -> Result<(), StdioError> {
    let server = Server::new(Caller::Fixed(client));
    let failed = |error: &dyn std::fmt::Display| StdioError(error.to_string());
    match server.serve(stdio()).await {
        Ok(running) => {
            running.waiting().await.map_err(|error| failed(&error))?;
            Ok(())
        }
        // Nobody was there, as with `assay mcp < /dev/null`.
        Err(rmcp::service::ServerInitializeError::ConnectionClosed(_)) => Ok(()),
        Err(error) => Err(failed(&error)),
    }
}
