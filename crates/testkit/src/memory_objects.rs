//! An object store in memory, for tests.

use std::collections::BTreeMap;
use std::io::{self, Cursor, Read, Write};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use chrono::DateTime;
use domain::ports::{ObjectError, ObjectInfo, ObjectName, ObjectStore, ObjectWriter};

/// Objects in memory. Clones share them.
#[derive(Debug, Clone, Default)]
pub struct MemoryObjects(Arc<Mutex<Held>>);

#[derive(Debug, Default)]
struct Held {
    objects: BTreeMap<ObjectName, Vec<u8>>,
    fault: Option<ObjectError>,
}

impl MemoryObjects {
    /// Every call fails with this error from now on; with none, all work again.
    pub fn set_fault(&self, fault: Option<ObjectError>) {
        self.lock().fault = fault;
    }

    /// The bytes of all objects, by name.
    #[must_use]
    pub fn all(&self) -> BTreeMap<String, Vec<u8>> {
        let held = self.lock();
        let objects = held.objects.iter();
        objects
            .map(|(name, bytes)| (name.to_string(), bytes.clone()))
            .collect()
    }

    fn lock(&self) -> MutexGuard<'_, Held> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn working(&self) -> Result<MutexGuard<'_, Held>, ObjectError> {
        let held = self.lock();
        match &held.fault {
            Some(fault) => Err(fault.clone()),
            None => Ok(held),
        }
    }
}

impl ObjectStore for MemoryObjects {
    fn location(&self) -> String {
        "memory".to_owned()
    }

    fn create(&self, name: &ObjectName) -> Result<Box<dyn ObjectWriter>, ObjectError> {
        drop(self.working()?);
        Ok(Box::new(MemoryWriter {
            objects: self.clone(),
            name: name.clone(),
            bytes: Vec::new(),
        }))
    }

    fn open(&self, name: &ObjectName) -> Result<Box<dyn Read + Send>, ObjectError> {
        match self.working()?.objects.get(name) {
            Some(bytes) => Ok(Box::new(Cursor::new(bytes.clone()))),
            None => Err(ObjectError::NotFound(name.to_string())),
        }
    }

    fn list(&self) -> Result<Vec<ObjectInfo>, ObjectError> {
        let held = self.working()?;
        let objects = held.objects.iter().map(|(name, bytes)| ObjectInfo {
            name: name.clone(),
            size_bytes: u64::try_from(bytes.len()).unwrap_or(u64::MAX),
            written_at: DateTime::UNIX_EPOCH,
        });
        Ok(objects.collect())
    }

    fn delete(&self, name: &ObjectName) -> Result<(), ObjectError> {
        self.working()?.objects.remove(name);
        Ok(())
    }

    fn remove_unfinished(&self) -> Result<(), ObjectError> {
        self.working().map(|_| ())
    }
}

struct MemoryWriter {
    objects: MemoryObjects,
    name: ObjectName,
    bytes: Vec<u8>,
}

impl Write for MemoryWriter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.bytes.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl ObjectWriter for MemoryWriter {
    fn finish(self: Box<Self>) -> Result<u64, ObjectError> {
        let size = u64::try_from(self.bytes.len()).unwrap_or(u64::MAX);
        self.objects
            .working()?
            .objects
            .insert(self.name, self.bytes);
        Ok(size)
    }
}
