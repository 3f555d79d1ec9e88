//! Starts a browser and asks for its version.

use super::cdp::commands::{CloseBrowser, GetVersion};
use super::cdp::{CdpError, Connection, Session};
use super::flags::{self, Containment};
use super::memory::MemoryWatch;
use super::options::{BrowserOptions, OLDEST_VERSION, StartError};
use super::process::BrowserProcess;
use super::profile::{self, ProfileFolder};
use crate::bounds::browser::BROWSER_CLOSE_TIMEOUT;

/// A running browser. Dropping it kills its processes and removes its profile; [`Browser::close`] lets it end
/// first.
#[derive(Debug)]
pub struct Browser {
    process: BrowserProcess,
    session: Session,
    product: String,
    user_agent: String,
    _memory: MemoryWatch,
}

impl Browser {
    /// Starts the browser. Also removes profiles of earlier processes that were killed. Needs a runtime of tokio.
    ///
    /// # Errors
    /// If it does not start, see [`StartError`].
    pub async fn start(options: &BrowserOptions) -> Result<Self, StartError> {
        Self::start_with(options, Containment::Full).await
    }

    pub(super) async fn start_with(
        options: &BrowserOptions,
        containment: Containment,
    ) -> Result<Self, StartError> {
        profile::sweep(&options.profiles);
        let profile = ProfileFolder::create_in(&options.profiles).map_err(StartError::Profile)?;
        let is_shell = options.browser.is_headless_shell();
        let arguments = flags::arguments(is_shell, profile.path(), options.sandbox, containment);
        let program = options.browser.path();
        let spawned = BrowserProcess::spawn(program, &arguments, profile, &options.search_path);
        let (mut process, pipe) = spawned.map_err(|error| StartError::Spawn {
            program: program.to_owned(),
            error,
        })?;
        let session = Connection::start(pipe.from, pipe.to).browser();
        let answer = session
            .call_within(&GetVersion {}, options.start_timeout)
            .await;
        let (product, user_agent) = match answer {
            Ok(version) => (version.product, version.user_agent),
            Err(CdpError::Closed) => {
                // The reason is complete when the process has ended.
                process.ended(BROWSER_CLOSE_TIMEOUT).await;
                return Err(StartError::from_stderr(&process.stderr()));
            }
            Err(error) => return Err(StartError::Silent(error)),
        };
        if major_version(&product).is_none_or(|version| version < OLDEST_VERSION) {
            return Err(StartError::TooOld(product));
        }
        let memory = MemoryWatch::start(process.group(), options.memory_bytes);
        Ok(Self {
            _memory: memory,
            process,
            session,
            product,
            user_agent,
        })
    }

    pub(super) const fn session(&self) -> &Session {
        &self.session
    }

    /// The default user agent of the browser.
    pub(super) fn user_agent(&self) -> &str {
        &self.user_agent
    }

    /// Whether the browser still speaks.
    pub(super) fn is_running(&self) -> bool {
        self.session.connection().is_open()
    }

    /// Name and version, such as `HeadlessChrome/156.0.8078.79`.
    #[must_use]
    pub fn product(&self) -> &str {
        &self.product
    }

    /// Lets the browser end, and kills it if it does not within 3 s. Then its profile is removed.
    pub async fn close(self) {
        let Self {
            process, session, ..
        } = self;
        // It may end before it answers.
        let _ = session
            .call_within(&CloseBrowser {}, BROWSER_CLOSE_TIMEOUT)
            .await;
        drop(session);
        process.close().await;
    }
}

/// The first number after the slash.
fn major_version(product: &str) -> Option<u32> {
    let (_, version) = product.split_once('/')?;
    version.split('.').next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_major_version_is_read_from_the_product() {
        assert_eq!(major_version("HeadlessChrome/156.0.8078.79"), Some(156));
        assert_eq!(major_version("Chrome/99.0.1"), Some(99));
        assert_eq!(major_version("Firefox"), None);
    }
}
