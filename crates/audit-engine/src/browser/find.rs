//! Finds the Chromium that this machine has. The engine never downloads one.

use std::ffi::OsStr;
use std::io::Read;
use std::path::{Path, PathBuf};

/// Names on PATH, the wanted ones first. The headless shell is the same engine without a user interface: it
/// starts in a third of the time and takes two thirds of the memory.
const NAMES: [&str; 8] = [
    "chromium-headless-shell",
    "chrome-headless-shell",
    "headless_shell",
    "chromium",
    "chromium-browser",
    "google-chrome-stable",
    "google-chrome",
    "microsoft-edge-stable",
];

/// Programs that packages start by scripts on PATH. The scripts add options and extensions of their own, so the
/// program itself is preferred.
const PROGRAMS: [&str; 6] = [
    "/usr/lib/chromium/chromium-headless-shell",
    "/usr/lib64/chromium-browser/headless_shell",
    "/usr/lib/chromium/chromium",
    "/usr/lib64/chromium-browser/chromium-browser",
    "/opt/google/chrome/chrome",
    "/opt/microsoft/msedge/msedge",
];

/// Applications of macOS.
const APPLICATIONS: [&str; 3] = [
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge",
];

/// Bytes of a program that are read to see whether it is a script that starts a snap.
const SCRIPT_BYTES: u64 = 4_096;

/// A browser of this machine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoundBrowser {
    path: PathBuf,
    is_headless_shell: bool,
}

impl FoundBrowser {
    fn at(path: PathBuf) -> Self {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let is_headless_shell = name.replace('_', "-").contains("headless-shell");
        Self {
            path,
            is_headless_shell,
        }
    }

    /// Finds a browser: the configured one if there is one, else the first that is installed. `path` is the
    /// value of the variable `PATH`.
    ///
    /// # Errors
    /// If there is none, or the configured one cannot be used.
    pub fn find(configured: Option<&Path>, path: &OsStr) -> Result<Self, FindError> {
        if let Some(file) = configured {
            if !is_program(file) {
                return Err(FindError::NoProgram(file.to_owned()));
            }
            return match is_snap(file) {
                true => Err(FindError::Snap(file.to_owned())),
                false => Ok(Self::at(file.to_owned())),
            };
        }
        Self::first_of(candidates(path))
    }

    fn first_of(candidates: impl Iterator<Item = PathBuf>) -> Result<Self, FindError> {
        let mut snap = None;
        for file in candidates.filter(|file| is_program(file)) {
            if is_snap(&file) {
                snap.get_or_insert(file);
            } else {
                return Ok(Self::at(file));
            }
        }
        Err(snap.map_or(FindError::None, FindError::Snap))
    }

    /// The program.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Whether this is the headless shell and not the full browser.
    #[must_use]
    pub const fn is_headless_shell(&self) -> bool {
        self.is_headless_shell
    }
}

/// Every place to look at, in the order of preference: headless shells, then full browsers.
fn candidates(path: &OsStr) -> impl Iterator<Item = PathBuf> {
    let folders: Vec<PathBuf> = std::env::split_paths(path).collect();
    let on_path = NAMES.iter().flat_map(move |name| {
        folders
            .clone()
            .into_iter()
            .map(move |folder| folder.join(name))
    });
    let installed = PROGRAMS.iter().chain(&APPLICATIONS).map(PathBuf::from);
    let mut all: Vec<PathBuf> = installed.chain(on_path).collect();
    all.sort_by_key(|file| !FoundBrowser::at(file.clone()).is_headless_shell);
    all.into_iter()
}

fn is_program(file: &Path) -> bool {
    std::fs::metadata(file).is_ok_and(|found| found.is_file())
}

/// Whether the program is a snap, or a script that starts one. A snap cannot read the folder of a profile that
/// another program made.
fn is_snap(file: &Path) -> bool {
    let target = std::fs::canonicalize(file).unwrap_or_else(|_| file.to_owned());
    if target.starts_with("/snap") || target.ends_with("bin/snap") {
        return true;
    }
    let mut head = Vec::new();
    #[expect(
        clippy::disallowed_methods,
        reason = "the program of the machine, not a file of a site"
    )]
    let opened = std::fs::File::open(&target);
    let read = opened.and_then(|program| program.take(SCRIPT_BYTES).read_to_end(&mut head));
    let text = String::from_utf8_lossy(&head);
    read.is_ok() && text.starts_with("#!") && text.contains("/snap/")
}

/// Why there is no browser.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FindError {
    /// None is installed.
    #[error("no Chromium was found")]
    None,
    /// The configured file is no program.
    #[error("{} is not a program", .0.display())]
    NoProgram(PathBuf),
    /// Only a snap was found.
    #[error("{} is a snap, which cannot read the folder of its profile", .0.display())]
    Snap(PathBuf),
}

impl FindError {
    /// What to do about it.
    #[must_use]
    pub const fn remedy(&self) -> &'static str {
        match self {
            Self::NoProgram(_) => "set path in [browser] to the program of a Chromium",
            Self::None | Self::Snap(_) => {
                "install the package chromium-headless-shell (Debian), chromium, or Google Chrome, or set path in [browser] to the program of a Chromium"
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::ffi::OsString;
    use std::sync::atomic::{AtomicU32, Ordering};

    use super::*;

    /// A folder with programs, removed at the end.
    struct Folder(PathBuf);

    impl Folder {
        #[expect(clippy::disallowed_methods, reason = "files for this test")]
        fn with(programs: &[(&str, &str)]) -> Self {
            static NEXT: AtomicU32 = AtomicU32::new(0);
            let number = NEXT.fetch_add(1, Ordering::Relaxed);
            let name = format!("assay-find-{}-{number}", std::process::id());
            let folder = std::env::temp_dir().join(name);
            std::fs::create_dir_all(&folder).unwrap();
            for (name, text) in programs {
                std::fs::write(folder.join(name), text).unwrap();
            }
            Self(folder)
        }

        fn path(&self) -> OsString {
            self.0.clone().into_os_string()
        }

        fn first(&self) -> Result<FoundBrowser, FindError> {
            let path = self.path();
            let all = candidates(&path);
            FoundBrowser::first_of(all.filter(|file| file.starts_with(&self.0)))
        }
    }

    impl Drop for Folder {
        fn drop(&mut self) {
            let _ = std::fs::remove_dir_all(&self.0);
        }
    }

    #[test]
    fn the_headless_shell_is_preferred() {
        let folder = Folder::with(&[
            ("chromium", ""),
            ("google-chrome", ""),
            ("chromium-headless-shell", ""),
        ]);
        let found = folder.first().unwrap();
        assert!(found.path().ends_with("chromium-headless-shell"));
        assert!(found.is_headless_shell());
    }

    #[test]
    fn a_full_browser_is_found_where_there_is_no_headless_shell() {
        let folder = Folder::with(&[("google-chrome", ""), ("chromium", "")]);
        let found = folder.first().unwrap();
        assert!(found.path().ends_with("chromium"));
        assert!(!found.is_headless_shell());
    }

    #[test]
    fn a_snap_is_passed_over_and_reported_if_there_is_nothing_else() {
        let script = "#!/bin/sh\nexec /snap/bin/chromium \"$@\"\n";
        let folder = Folder::with(&[("chromium-browser", script), ("google-chrome", "")]);
        assert!(folder.first().unwrap().path().ends_with("google-chrome"));
        let folder = Folder::with(&[("chromium-browser", script)]);
        let error = folder.first().unwrap_err();
        assert!(matches!(&error, FindError::Snap(_)), "{error}");
        assert!(error.remedy().contains("chromium-headless-shell"));
    }

    #[test]
    fn nothing_is_an_error_with_a_remedy() {
        let error = Folder::with(&[("firefox", "")]).first().unwrap_err();
        assert_eq!(error, FindError::None);
        assert!(error.remedy().starts_with("install the package"));
    }

    #[test]
    fn the_configured_program_is_the_only_one() {
        let folder = Folder::with(&[("chromium", ""), ("my-browser", "")]);
        let own = folder.0.join("my-browser");
        let found = FoundBrowser::find(Some(&own), &folder.path()).unwrap();
        assert_eq!(found.path(), own);
        let missing = folder.0.join("absent");
        let error = FoundBrowser::find(Some(&missing), &folder.path()).unwrap_err();
        assert_eq!(error, FindError::NoProgram(missing));
    }
}
