//! Sites and their schedules.

use api_types::schedule::{Schedule, SetScheduleRequest};
use api_types::site::{CreateSiteRequest, Site, SiteHistory, SiteList};
use reqwest::Method;

use crate::call::Call;
use crate::{Client, Error, Reply};

impl Client {
    /// All sites.
    ///
    /// # Errors
    /// When the server returns an error or is unreachable.
    pub async fn sites(&self) -> Result<Reply<SiteList>, Error> {
        self.call(Call::get(&["sites"])).await
    }

    /// A site.
    ///
    /// # Errors
    /// When the server returns an error or is unreachable.
    pub async fn site(&self, site: &str) -> Result<Reply<Site>, Error> {
        self.call(Call::get(&["sites", site])).await
    }

    /// Creates a site.
    ///
    /// # Errors
    /// When the server returns an error or is unreachable.
    pub async fn create_site(&self, request: &CreateSiteRequest) -> Result<Reply<Site>, Error> {
        self.call(Call::post(&["sites"]).json(request)?.once())
            .await
    }

    /// Deletes a site with all its data.
    ///
    /// # Errors
    /// When the server returns an error or is unreachable.
    pub async fn delete_site(&self, site: &str) -> Result<(), Error> {
        self.send_only(Call::new(Method::DELETE, &["sites", site]))
            .await
    }

    /// The recent runs of a site with their scores, newest first.
    ///
    /// # Errors
    /// When the server returns an error or is unreachable.
    pub async fn history(
        &self,
        site: &str,
        limit: Option<u32>,
    ) -> Result<Reply<SiteHistory>, Error> {
        let limit = limit.map(|limit| limit.to_string());
        self.call(Call::get(&["sites", site, "history"]).with("limit", limit))
            .await
    }

    /// The schedule of automatic audits of a site.
    ///
    /// # Errors
    /// When the server returns an error or is unreachable.
    pub async fn schedule(&self, site: &str) -> Result<Reply<Schedule>, Error> {
        self.call(Call::get(&["sites", site, "schedule"])).await
    }

    /// Sets the schedule of automatic audits of a site.
    ///
    /// # Errors
    /// When the server returns an error or is unreachable.
    pub async fn set_schedule(
        &self,
        site: &str,
        request: &SetScheduleRequest,
    ) -> Result<Reply<Schedule>, Error> {
        let call = Call::new(Method::PUT, &["sites", site, "schedule"]).json(request)?;
        self.call(call).await
    }
}
