//! A folder of this machine.

use std::fs::{DirBuilder, File, OpenOptions};
use std::io::{self, ErrorKind, Read, Write};
use std::path::{Path, PathBuf};

use chrono::{DateTime, Utc};
use domain::ports::{
    MAX_LISTED_OBJECTS, ObjectError, ObjectInfo, ObjectName, ObjectStore, ObjectWriter,
};

/// The suffix of the name of a file while it is written. The name also starts with a dot, which no object's name does.
const UNFINISHED: &str = ".part";

/// The most levels of folders below that of the store.
const MAX_DEPTH: usize = 16;

/// Objects as files below a folder, which is created with the first object. Files and folders are accessible only by
/// their owner.
#[derive(Debug, Clone)]
pub struct FolderStore {
    folder: PathBuf,
}

impl FolderStore {
    /// The store in a folder, which need not exist.
    #[must_use]
    pub fn new(folder: &Path) -> Self {
        Self {
            folder: folder.to_owned(),
        }
    }

    fn path(&self, name: &ObjectName) -> PathBuf {
        self.folder.join(name.as_str())
    }

    /// Calls a function with every file below the folder and its path relative to it.
    fn visit(
        &self,
        folder: &Path,
        depth: usize,
        seen: &mut impl FnMut(&Path, &str) -> Result<(), ObjectError>,
    ) -> Result<(), ObjectError> {
        let entries = match std::fs::read_dir(folder) {
            Ok(entries) => entries,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
            Err(error) => return Err(in_file(folder)(&error)),
        };
        for entry in entries {
            let entry = entry.map_err(|error| in_file(folder)(&error))?;
            let (path, kind) = (entry.path(), entry.file_type());
            let Ok(kind) = kind else { continue };
            if kind.is_dir() && depth < MAX_DEPTH {
                self.visit(&path, depth + 1, seen)?;
            } else if kind.is_file()
                && let Ok(relative) = path.strip_prefix(&self.folder)
                && let Some(relative) = relative.to_str()
            {
                seen(&path, relative)?;
            }
        }
        Ok(())
    }
}

impl ObjectStore for FolderStore {
    fn location(&self) -> String {
        self.folder.display().to_string()
    }

    fn create(&self, name: &ObjectName) -> Result<Box<dyn ObjectWriter>, ObjectError> {
        let to = self.path(name);
        let folder = to.parent().unwrap_or(&self.folder).to_owned();
        create_folder(&folder)?;
        let file_name = to.file_name().unwrap_or_default().to_string_lossy();
        let part = folder.join(format!(".{file_name}{UNFINISHED}"));
        let mut options = OpenOptions::new();
        options.write(true).create(true).truncate(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let file = (options.open(&part)).map_err(|error| in_file(&part)(&error))?;
        Ok(Box::new(FolderWriter {
            file,
            part,
            to,
            folder,
            is_finished: false,
        }))
    }

    fn open(&self, name: &ObjectName) -> Result<Box<dyn Read + Send>, ObjectError> {
        let path = self.path(name);
        match File::open(&path) {
            Ok(file) => Ok(Box::new(file)),
            Err(error) => Err(in_file(&path)(&error)),
        }
    }

    fn list(&self) -> Result<Vec<ObjectInfo>, ObjectError> {
        let mut found = Vec::new();
        self.visit(&self.folder, 0, &mut |path, relative| {
            let Ok(name) = ObjectName::new(relative) else {
                return Ok(());
            };
            if found.len() >= MAX_LISTED_OBJECTS {
                return Err(too_many(&self.location()));
            }
            // It may have been deleted meanwhile.
            if let Ok(meta) = path.metadata() {
                let written_at = meta.modified().map(DateTime::<Utc>::from);
                found.push(ObjectInfo {
                    name,
                    size_bytes: meta.len(),
                    written_at: written_at.unwrap_or_default(),
                });
            }
            Ok(())
        })?;
        found.sort_by(|a, b| a.name.cmp(&b.name));
        Ok(found)
    }

    fn delete(&self, name: &ObjectName) -> Result<(), ObjectError> {
        let path = self.path(name);
        match std::fs::remove_file(&path) {
            Err(error) if error.kind() != ErrorKind::NotFound => Err(in_file(&path)(&error)),
            _ => Ok(()),
        }
    }

    fn remove_unfinished(&self) -> Result<(), ObjectError> {
        self.visit(&self.folder, 0, &mut |path, _| {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            if name.starts_with('.') && name.ends_with(UNFINISHED) {
                std::fs::remove_file(path).map_err(|error| in_file(path)(&error))?;
            }
            Ok(())
        })
    }
}

/// The error of a store that has more objects than it lists.
pub(crate) fn too_many(location: &str) -> ObjectError {
    ObjectError::Failed(format!(
        "{location} has more than {MAX_LISTED_OBJECTS} objects: use a separate folder or prefix for each database"
    ))
}

struct FolderWriter {
    file: File,
    part: PathBuf,
    to: PathBuf,
    folder: PathBuf,
    is_finished: bool,
}

impl Write for FolderWriter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.file.write(bytes);
        written.map_err(|error| io::Error::new(error.kind(), in_file(&self.part)(&error)))
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl ObjectWriter for FolderWriter {
    fn finish(mut self: Box<Self>) -> Result<u64, ObjectError> {
        let in_part = in_file(&self.part);
        self.file.sync_all().map_err(|error| in_part(&error))?;
        let bytes = self.file.metadata().map_err(|error| in_part(&error))?.len();
        std::fs::rename(&self.part, &self.to).map_err(|error| in_file(&self.to)(&error))?;
        self.is_finished = true;
        if cfg!(unix) {
            // Makes the new name durable.
            let synced = File::open(&self.folder).and_then(|folder| folder.sync_all());
            synced.map_err(|error| in_file(&self.folder)(&error))?;
        }
        Ok(bytes)
    }
}

impl Drop for FolderWriter {
    fn drop(&mut self) {
        if !self.is_finished {
            drop(std::fs::remove_file(&self.part));
        }
    }
}

fn create_folder(folder: &Path) -> Result<(), ObjectError> {
    let mut builder = DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder
        .create(folder)
        .map_err(|error| in_file(folder)(&error))
}

fn in_file(path: &Path) -> impl Fn(&io::Error) -> ObjectError {
    move |error| translate(error, format!("{}: {error}", path.display()))
}

pub(crate) fn translate(error: &io::Error, text: String) -> ObjectError {
    match error.kind() {
        ErrorKind::NotFound => ObjectError::NotFound(text),
        ErrorKind::PermissionDenied => ObjectError::Denied(text),
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded | ErrorKind::FileTooLarge => {
            ObjectError::Full(text)
        }
        ErrorKind::TimedOut => ObjectError::Unavailable(text),
        _ => ObjectError::Failed(text),
    }
}
