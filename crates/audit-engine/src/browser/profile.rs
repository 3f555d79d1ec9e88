//! The folder of a browser's profile, which exists as long as the browser.

use std::fs::{DirBuilder, File, OpenOptions};
use std::io;
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

/// The beginning of the names of profile folders.
const PREFIX: &str = "assay-browser-";

/// The file in a profile folder that the engine holds locked while it uses the folder.
const LOCK: &str = "in-use";

/// Bytes of the path of a profile folder. The browser makes a socket in it, whose path has at most 108 bytes.
const MAX_PATH_BYTES: usize = 70;

/// A profile folder that only this user can read. The system frees the lock when the process ends, however it
/// ends, so that [`sweep`] finds what was left behind.
#[derive(Debug)]
pub(super) struct ProfileFolder {
    path: PathBuf,
    _lock: File,
}

impl ProfileFolder {
    /// Creates a new folder in `parent`.
    pub(super) fn create_in(parent: &Path) -> io::Result<Self> {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        loop {
            let number = NEXT.fetch_add(1, Ordering::Relaxed);
            let path = parent.join(format!("{PREFIX}{}-{number}", std::process::id()));
            if path.as_os_str().len() > MAX_PATH_BYTES {
                let message = format!(
                    "{} is longer than the {MAX_PATH_BYTES} bytes that a profile folder may have: use a folder with a shorter path",
                    path.display()
                );
                return Err(io::Error::new(io::ErrorKind::InvalidFilename, message));
            }
            match DirBuilder::new().mode(0o700).create(&path) {
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
                Ok(()) => {
                    let lock = open_lock(&path.join(LOCK))?;
                    lock.lock()?;
                    return Ok(Self { path, _lock: lock });
                }
            }
        }
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Removes the folder. What a browser that is just ending still writes into it makes this fail.
    pub(super) fn remove(&self) -> io::Result<()> {
        match std::fs::remove_dir_all(&self.path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
            other => other,
        }
    }
}

/// Removes the profile folders in `parent` whose process has ended. Returns how many.
pub(super) fn sweep(parent: &Path) -> usize {
    #[expect(
        clippy::disallowed_methods,
        reason = "the folder of the engine's own profiles"
    )]
    let Ok(entries) = std::fs::read_dir(parent) else {
        return 0;
    };
    entries
        .flatten()
        .filter(|entry| entry.file_name().to_string_lossy().starts_with(PREFIX))
        .filter(|entry| is_left_behind(&entry.path()))
        .filter(|entry| std::fs::remove_dir_all(entry.path()).is_ok())
        .count()
}

/// A folder whose lock file is missing belongs to a browser that just starts, or was removed in part: it is left
/// to the process that it belongs to.
fn is_left_behind(folder: &Path) -> bool {
    let file = folder.join(LOCK);
    file.is_file() && open_lock(&file).is_ok_and(|lock| lock.try_lock().is_ok())
}

#[expect(
    clippy::disallowed_methods,
    reason = "the lock of the engine's own profile"
)]
fn open_lock(file: &Path) -> io::Result<File> {
    OpenOptions::new().create(true).append(true).open(file)
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    struct Parent(PathBuf);

    impl Parent {
        fn new(name: &str) -> Self {
            let name = format!("assay-p-{}-{name}", std::process::id());
            let path = std::env::temp_dir().join(name);
            DirBuilder::new().create(&path).unwrap();
            Self(path)
        }
    }

    impl Drop for Parent {
        fn drop(&mut self) {
            let _ = std::fs::remove_dir_all(&self.0);
        }
    }

    #[test]
    fn a_profile_is_for_its_owner_alone() {
        let parent = Parent::new("mode");
        let profile = ProfileFolder::create_in(&parent.0).unwrap();
        let mode = std::fs::metadata(profile.path()).unwrap().permissions();
        assert_eq!(mode.mode() & 0o777, 0o700);
        let other = ProfileFolder::create_in(&parent.0).unwrap();
        assert_ne!(profile.path(), other.path());
        profile.remove().unwrap();
        assert!(!profile.path().exists());
        profile.remove().unwrap();
    }

    #[test]
    fn the_sweep_removes_only_profiles_that_nobody_uses() {
        let parent = Parent::new("sweep");
        let used = ProfileFolder::create_in(&parent.0).unwrap();
        let left = ProfileFolder::create_in(&parent.0).unwrap();
        let left_path = left.path().to_owned();
        drop(left);
        DirBuilder::new().create(parent.0.join("other")).unwrap();
        assert_eq!(sweep(&parent.0), 1);
        assert!(used.path().exists() && !left_path.exists());
        assert!(parent.0.join("other").exists());
        assert_eq!(sweep(&parent.0), 0);
    }

    #[test]
    fn a_path_that_is_too_long_for_a_socket_is_refused() {
        let parent = Path::new("/tmp").join("x".repeat(MAX_PATH_BYTES));
        let error = ProfileFolder::create_in(&parent).unwrap_err();
        assert!(error.to_string().contains("shorter path"), "{error}");
    }
}
