//! The API client and the output of its responses.

use anyhow::{Context, Result};
use client::{ApiKey, Client, Error, Reply, ServerUrl};
use report::json::unmoving;

use crate::args::ServerArgs;
use crate::output::{write_data, write_json};

/// A client for the service in the arguments, with the key of the environment.
///
/// # Errors
/// When there is no key or the address is invalid.
pub fn client_of(args: &ServerArgs, key: Option<&str>) -> Result<Client, Error> {
    let server = ServerUrl::parse(&args.server, args.allow_plain_http)?;
    let key = ApiKey::parse(key.unwrap_or_default())?;
    Client::new(server, &key)
}

/// The context of a command.
pub(super) struct Session {
    pub(super) client: Client,
    pub(super) json: bool,
}

impl Session {
    pub(super) fn open(args: &ServerArgs, key: Option<&str>, json: bool) -> Result<Self, Error> {
        Ok(Self {
            client: client_of(args, key)?,
            json,
        })
    }

    /// Prints a response: as JSON, or as text.
    pub(super) fn print<T>(
        &self,
        reply: &Reply<T>,
        words: impl FnOnce(&T) -> String,
    ) -> Result<()> {
        if self.json {
            let text = String::from_utf8_lossy(&reply.bytes);
            return write_json(&format!("{}\n", unmoving(text.trim_end())))
                .context("cannot write to standard output");
        }
        print(&words(&reply.value))
    }

    /// The id of the site with this id, host or name.
    pub(super) async fn site_id(&self, named: &str) -> Result<String> {
        if named.starts_with("site_") {
            return Ok(named.to_owned());
        }
        let sites = self.client.sites().await?.value.sites;
        let host = |url: &str| {
            let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
            let host = rest.split(['/', '?', '#']).next().unwrap_or_default();
            host.strip_prefix("www.")
                .unwrap_or(host)
                .to_ascii_lowercase()
        };
        let found = sites
            .iter()
            .find(|site| host(&site.url) == host(named))
            .or_else(|| sites.iter().find(|site| site.name == named));
        // An unknown id: the service responds with 404.
        Ok(found.map_or_else(|| named.to_owned(), |site| site.site_id.clone()))
    }

    /// The id of the report with this id, or of the report of the run with this id.
    pub(super) async fn report_id(&self, named: &str) -> Result<String> {
        if !named.starts_with("run_") {
            return Ok(named.to_owned());
        }
        let run = self.client.run(named).await?.value;
        run.report_id.with_context(|| {
            format!(
                "run {named} is {}; it has no report",
                super::labels::status(run.status)
            )
        })
    }
}

/// Writes text to standard output.
pub(super) fn print(text: &str) -> Result<()> {
    write_data(text).context("cannot write to standard output")
}
