//! The protocol over standard input and output.

use client::Client;
use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use rmcp::ServiceExt;
use rmcp::transport::stdio;

use super::server::{Caller, Server};

/// Why the connection ended.
#[derive(Debug, thiserror::Error)]
#[error("the connection to the agent failed: {0}")]
pub struct StdioError(String);

/// Serves the program that started this process until it closes standard input.
///
/// # Errors
/// When it sends something that is not part of the protocol.
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
        // Standard input was closed immediately, as with `assay mcp < /dev/null`.
        Err(rmcp::service::ServerInitializeError::ConnectionClosed(_)) => Ok(()),
        Err(error) => Err(failed(&error)),
    }
}
