//! The source of the configuration of a process, so that it can be reloaded.

use std::path::PathBuf;

use cli::ConfigArgs;

use super::{ConfigError, Flags, Settings, load, show};
use crate::as_text;

/// A file, the environment and the command line. The defaults are embedded.
#[derive(Debug, Clone)]
pub(crate) struct ConfigSource {
    file: Option<PathBuf>,
    flags: Flags,
}

impl ConfigSource {
    /// Creates the source from the command line.
    pub(crate) fn new(args: &ConfigArgs, flags: Flags) -> Self {
        Self {
            file: args.config.clone(),
            flags,
        }
    }

    /// Loads the configuration.
    ///
    /// # Errors
    /// The configuration error, and where it is.
    pub(crate) fn load(&self) -> Result<Settings, ConfigError> {
        load(self.file.as_deref(), variables(), self.flags.clone())
    }

    /// Loads the configuration as [`show`] displays it: every setting, without secrets.
    ///
    /// # Errors
    /// The configuration error, and where it is.
    pub(crate) fn show(&self) -> Result<toml::Table, ConfigError> {
        show(self.file.as_deref(), variables(), self.flags.clone())
    }
}

fn variables() -> impl Iterator<Item = (String, String)> {
    std::env::vars_os().filter_map(as_text)
}
