//! Waivers.

use api_types::waiver::{CreateWaiverRequest, Waiver, WaiverList};
use reqwest::Method;

use crate::call::Call;
use crate::{Client, Error, Reply};

impl Client {
    /// The waivers of a site, oldest first.
    ///
    /// # Errors
    /// When the server returns an error or is unreachable.
    pub async fn waivers(&self, site: &str) -> Result<Reply<WaiverList>, Error> {
        self.call(Call::get(&["sites", site, "waivers"])).await
    }

    /// Creates a waiver of a site.
    ///
    /// # Errors
    /// When the server returns an error or is unreachable.
    pub async fn create_waiver(
        &self,
        site: &str,
        request: &CreateWaiverRequest,
    ) -> Result<Reply<Waiver>, Error> {
        let call = Call::post(&["sites", site, "waivers"]).json(request)?;
        self.call(call.once()).await
    }

    /// Deletes a waiver of a site.
    ///
    /// # Errors
    /// When the server returns an error or is unreachable.
    pub async fn delete_waiver(&self, site: &str, waiver: &str) -> Result<(), Error> {
        let call = Call::new(Method::DELETE, &["sites", site, "waivers", waiver]);
        self.send_only(call).await
    }
}
