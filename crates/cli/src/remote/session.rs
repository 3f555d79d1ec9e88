//! The API client and the output of its responses.

use std::cell::RefCell;

use anyhow::{Context, Result};
use client::{ApiKey, Client, Error, Reply, ServerUrl};
use report::json::unmoving;

use super::kind::Kind;
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
    /// The whole ids of the command that were not looked up.
    pub(super) unverified: RefCell<Vec<(Kind, String)>>,
}

impl Session {
    pub(super) fn open(args: &ServerArgs, key: Option<&str>, json: bool) -> Result<Self, Error> {
        Ok(Self {
            client: client_of(args, key)?,
            json,
            unverified: RefCell::default(),
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
}

/// Writes text to standard output.
pub(super) fn print(text: &str) -> Result<()> {
    write_data(text).context("cannot write to standard output")
}
