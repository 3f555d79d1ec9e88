//! The health of a server. It needs no key.

use std::time::Duration;

use crate::http::{connections, refused, unreachable};
use crate::{Error, ServerUrl};

/// The timeout of the request. A service reports within this time that it is not ready.
const CALL: Duration = Duration::from_secs(4);

/// What a health check asks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Health {
    /// `/readyz`: the service can serve requests; its database accepts writes.
    Ready,
    /// `/healthz`: the process runs. Workers have only this.
    Alive,
}

impl Health {
    /// Asks a server once, without a key.
    ///
    /// # Errors
    /// Why the server is not ready or not alive.
    pub async fn ask(self, server: &ServerUrl) -> Result<(), Error> {
        let path = match self {
            Self::Ready => "readyz",
            Self::Alive => "healthz",
        };
        let request = connections()?.get(server.join(&[path])?).timeout(CALL);
        let response = request
            .send()
            .await
            .map_err(|error| unreachable(server, &error))?;
        match response.status().is_success() {
            true => Ok(()),
            false => Err(refused(server, response).await),
        }
    }
}
