//! The key that encrypts secrets in the database: `secret.key` in the data folder.

use std::fs::{File, OpenOptions};
use std::io::{ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use rand::TryRng;
use rand::rngs::SysRng;
use storage::SecretKey;

/// The name of the key file: 64 hexadecimal digits and a line break, readable only by its owner.
const FILE_NAME: &str = "secret.key";
/// Maximum bytes to read; longer than a key, so that a longer file is detected.
const MOST_BYTES: u64 = 100;

/// Why the key could not be read.
#[derive(Debug, thiserror::Error)]
pub(crate) enum SecretKeyError {
    /// Other users may read or write the file.
    #[error(
        "users other than its owner can access {}; run `chmod 600 {}`", .0.display(), .0.display()
    )]
    Exposed(PathBuf),
    /// The file has other content.
    #[error(
        "{} does not contain a secret key (64 hexadecimal digits); restore the file from a copy. If there is no copy, remove the file and run `assay forget-secrets`, which deletes the data that was encrypted with the key", .0.display()
    )]
    NoKey(PathBuf),
    /// The file cannot be used.
    #[error("{}: {error}; the data folder must belong to the user who runs Assay", .path.display())]
    File {
        path: PathBuf,
        error: std::io::Error,
    },
}

/// Returns the path of the key file.
pub(crate) fn file(data_dir: &Path) -> PathBuf {
    data_dir.join(FILE_NAME)
}

/// Reads the key; `None` if there is no file.
pub(crate) fn read(data_dir: &Path) -> Result<Option<SecretKey>, SecretKeyError> {
    let path = self::file(data_dir);
    let in_file = in_file(&path);
    let mut file = match File::open(&path) {
        Ok(file) => file,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(in_file(error)),
    };
    // The process that creates the file holds a lock on it until the key is written.
    file.lock_shared().map_err(in_file)?;
    key_in(&mut file, &path)
}

/// Reads the key, and creates it if there is none. If several processes start at once, one creates the key and all
/// use it.
pub(crate) fn read_or_make(data_dir: &Path) -> Result<SecretKey, SecretKeyError> {
    // Without write access first, because the file may be read-only.
    if let Some(key) = read(data_dir)? {
        return Ok(key);
    }
    let path = self::file(data_dir);
    let in_file = in_file(&path);
    let mut options = OpenOptions::new();
    options.create(true).truncate(false).read(true).write(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let mut file = options.open(&path).map_err(in_file)?;
    file.lock().map_err(in_file)?;
    if let Some(key) = key_in(&mut file, &path)? {
        return Ok(key);
    }
    let key = new_key().map_err(in_file)?;
    write(&mut file, &key).map_err(in_file)?;
    Ok(key)
}

fn in_file(path: &Path) -> impl Fn(std::io::Error) -> SecretKeyError + Copy {
    move |error| SecretKeyError::File {
        path: path.to_owned(),
        error,
    }
}

/// Reads the key from a file that no process is writing; `None` if the file is empty because its creator ended before
/// it wrote the key.
fn key_in(file: &mut File, path: &Path) -> Result<Option<SecretKey>, SecretKeyError> {
    let in_file = in_file(path);
    if is_exposed(file).map_err(in_file)? {
        return Err(SecretKeyError::Exposed(path.to_owned()));
    }
    let mut bytes = Vec::new();
    file.take(MOST_BYTES)
        .read_to_end(&mut bytes)
        .map_err(in_file)?;
    if bytes.is_empty() {
        return Ok(None);
    }
    let text = String::from_utf8(bytes).ok();
    let key = text.and_then(|text| SecretKey::from_hex(text.trim_end()));
    key.map(Some)
        .ok_or_else(|| SecretKeyError::NoKey(path.to_owned()))
}

#[cfg(unix)]
fn is_exposed(file: &File) -> std::io::Result<bool> {
    use std::os::unix::fs::PermissionsExt;

    Ok(file.metadata()?.permissions().mode() & 0o077 != 0)
}

#[cfg(not(unix))]
fn is_exposed(_file: &File) -> std::io::Result<bool> {
    Ok(false)
}

fn new_key() -> std::io::Result<SecretKey> {
    let mut bytes = [0_u8; 32];
    SysRng
        .try_fill_bytes(&mut bytes)
        .map_err(|error| std::io::Error::other(error.to_string()))?;
    Ok(SecretKey::new(bytes))
}

fn write(file: &mut File, key: &SecretKey) -> std::io::Result<()> {
    file.seek(SeekFrom::Start(0))?;
    writeln!(file, "{}", key.to_hex())?;
    // Data encrypted with a key that a crash then loses could never be decrypted.
    file.sync_all()
}

#[cfg(test)]
mod tests {
    use std::sync::Barrier;
    use std::sync::atomic::{AtomicU64, Ordering};

    use super::*;

    /// A temporary folder that is removed on drop.
    struct TestFolder(PathBuf);

    impl TestFolder {
        fn new() -> Self {
            static COUNT: AtomicU64 = AtomicU64::new(0);
            let number = COUNT.fetch_add(1, Ordering::Relaxed);
            let name = format!("assay-secret-{}-{number}", std::process::id());
            let folder = std::env::temp_dir().join(name);
            std::fs::create_dir(&folder).unwrap();
            Self(folder)
        }

        fn file(&self) -> PathBuf {
            self.0.join(FILE_NAME)
        }

        /// Writes a file that only its owner can read.
        fn put(&self, content: &str) {
            let mut options = OpenOptions::new();
            options.create(true).write(true).truncate(true);
            #[cfg(unix)]
            std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
            let mut file = options.open(self.file()).unwrap();
            file.write_all(content.as_bytes()).unwrap();
        }
    }

    impl Drop for TestFolder {
        fn drop(&mut self) {
            let _ = std::fs::remove_dir_all(&self.0);
        }
    }

    #[test]
    fn a_key_is_made_once_and_read_from_then_on() {
        let folder = TestFolder::new();
        assert_eq!(read(&folder.0).unwrap(), None);
        assert!(!folder.file().exists());
        let key = read_or_make(&folder.0).unwrap();
        assert_eq!(read_or_make(&folder.0).unwrap(), key);
        assert_eq!(read(&folder.0).unwrap(), Some(key.clone()));
        let content = std::fs::read_to_string(folder.file()).unwrap();
        assert_eq!(content, format!("{}\n", key.to_hex()));
        let other = TestFolder::new();
        assert_ne!(read_or_make(&other.0).unwrap(), key);
    }

    #[cfg(unix)]
    #[test]
    fn the_file_is_readable_only_by_its_owner() {
        use std::os::unix::fs::PermissionsExt;

        let folder = TestFolder::new();
        read_or_make(&folder.0).unwrap();
        let mode = |mode| std::fs::set_permissions(folder.file(), PermissionsExt::from_mode(mode));
        let now = std::fs::metadata(folder.file()).unwrap().permissions();
        assert_eq!(now.mode() & 0o777, 0o600);
        for wide in [0o640, 0o604, 0o660, 0o777] {
            mode(wide).unwrap();
            let error = read_or_make(&folder.0).unwrap_err();
            assert!(matches!(error, SecretKeyError::Exposed(_)), "{error}");
            assert!(error.to_string().contains("chmod 600"), "{error}");
            assert!(read(&folder.0).is_err());
        }
        mode(0o400).unwrap();
        assert!(read_or_make(&folder.0).is_ok());
    }

    #[test]
    fn concurrent_starts_share_one_key() {
        let folder = TestFolder::new();
        let begin = Barrier::new(8);
        let keys: Vec<_> = std::thread::scope(|scope| {
            let starts: Vec<_> = (0..8)
                .map(|_| {
                    scope.spawn(|| {
                        begin.wait();
                        read_or_make(&folder.0).unwrap()
                    })
                })
                .collect();
            starts
                .into_iter()
                .map(|start| start.join().unwrap())
                .collect()
        });
        assert!(keys.iter().all(|key| *key == keys[0]));
        assert_eq!(read(&folder.0).unwrap().as_ref(), keys.first());
    }

    #[test]
    fn another_content_is_refused_and_stays() {
        for content in [
            "hello",
            "\n",
            &"0".repeat(63),
            &"0".repeat(65),
            &"G".repeat(64),
        ] {
            let folder = TestFolder::new();
            folder.put(content);
            for error in [
                read(&folder.0).map(drop).unwrap_err(),
                read_or_make(&folder.0).map(drop).unwrap_err(),
            ] {
                assert!(matches!(error, SecretKeyError::NoKey(_)), "{error}");
                assert!(
                    error.to_string().contains("restore the file from a copy"),
                    "{error}"
                );
            }
            assert_eq!(std::fs::read_to_string(folder.file()).unwrap(), content);
        }
    }

    #[test]
    fn an_empty_key_file_is_filled() {
        let folder = TestFolder::new();
        folder.put("");
        assert_eq!(read(&folder.0).unwrap(), None);
        let key = read_or_make(&folder.0).unwrap();
        assert_eq!(read(&folder.0).unwrap(), Some(key));
    }

    #[test]
    fn a_folder_that_is_missing_is_named() {
        let folder = TestFolder::new();
        let missing = folder.0.join("missing");
        let error = read_or_make(&missing).unwrap_err().to_string();
        assert!(error.contains("missing"), "{error}");
    }
}
