//! Objects in a folder.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    reason = "a failed expectation ends the test"
)]

#[path = "shared/run_pictures.rs"]
mod run_pictures;

use std::io::Write;
use std::path::PathBuf;

use domain::ports::{ObjectError, ObjectName, ObjectStore};
use object_storage::FolderStore;

struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("assay-{name}-{}", std::process::id()));
        drop(std::fs::remove_dir_all(&folder));
        Self(folder)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        drop(std::fs::remove_dir_all(&self.0));
    }
}

fn name(text: &str) -> ObjectName {
    ObjectName::new(text).unwrap()
}

#[test]
fn an_object_appears_only_when_it_is_finished() {
    let folder = Folder::new("objects-finish");
    let store = FolderStore::new(&folder.0);
    assert_eq!(store.list().unwrap(), []);
    let mut writer = store.create(&name("a/b.txt")).unwrap();
    writer.write_all(b"hello").unwrap();
    assert_eq!(store.list().unwrap(), []);
    assert!(matches!(
        store.open(&name("a/b.txt")),
        Err(ObjectError::NotFound(_))
    ));
    writer.finish().unwrap();
    let listed = store.list().unwrap();
    assert_eq!(
        (listed[0].name.as_str(), listed[0].size_bytes),
        ("a/b.txt", 5)
    );
    let dropped = store.create(&name("c")).unwrap();
    drop(dropped);
    assert_eq!(std::fs::read_dir(&folder.0).unwrap().count(), 1);
    store.delete(&name("a/b.txt")).unwrap();
    store.delete(&name("a/b.txt")).unwrap();
    assert_eq!(store.list().unwrap(), []);
}

#[test]
fn what_a_killed_writer_left_is_removed_and_nothing_else() {
    let folder = Folder::new("objects-left");
    let store = FolderStore::new(&folder.0);
    store.create(&name("a/kept")).unwrap().finish().unwrap();
    for file in ["a/.killed.part", "a/.other", "a/own.part"] {
        std::fs::write(folder.0.join(file), "x").unwrap();
    }
    store.remove_unfinished().unwrap();
    assert!(!folder.0.join("a/.killed.part").exists());
    for file in ["a/kept", "a/.other", "a/own.part"] {
        assert!(folder.0.join(file).exists(), "{file}");
    }
}

#[cfg(unix)]
#[test]
fn only_the_owner_can_read_an_object() {
    use std::os::unix::fs::PermissionsExt;

    let folder = Folder::new("objects-mode");
    let store = FolderStore::new(&folder.0);
    store.create(&name("a/b")).unwrap().finish().unwrap();
    let mode = |path: &str| folder.0.join(path).metadata().unwrap().permissions().mode() & 0o777;
    assert_eq!((mode("a"), mode("a/b")), (0o700, 0o600));
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_reported_as_such() {
    let folder = Folder::new("objects-full");
    let store = FolderStore::new(&folder.0);
    std::fs::create_dir_all(&folder.0).unwrap();
    std::os::unix::fs::symlink("/dev/full", folder.0.join(".x.part")).unwrap();
    let mut writer = store.create(&name("x")).unwrap();
    let error = writer.write_all(b"hello").unwrap_err();
    assert!(
        matches!(
            object_storage::as_object_error(&error),
            ObjectError::Full(_)
        ),
        "{error}"
    );
}

#[test]
fn pictures_of_runs_are_kept() {
    let folder = Folder::new("pictures");
    run_pictures::pictures_are_written_read_and_deleted(&FolderStore::new(&folder.0));
}

#[test]
fn a_run_completes_without_pictures_if_the_folder_cannot_be_written() {
    let folder = Folder::new("pictures-gone");
    std::fs::create_dir_all(&folder.0).unwrap();
    let file = folder.0.join("file");
    std::fs::write(&file, "x").unwrap();
    // A file is where the folder should be.
    let store = FolderStore::new(&file);
    run_pictures::a_run_completes_without_pictures(&store, |error| {
        matches!(error, ObjectError::Failed(_))
    });
}
