//! Permits for each key, organization or address.

use std::any::Any;
use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// A number of permits for each value of `K`. Only values that hold or await a permit are stored.
#[derive(Debug)]
pub struct KeyedPermits<K> {
    each: usize,
    semaphores: Mutex<HashMap<K, Arc<Semaphore>>>,
}

/// A permit; released on drop.
#[derive(Debug)]
pub struct KeyedPermit<K: Eq + Hash + Clone> {
    // Dropped before the entry, which is removed if nothing else uses the semaphore.
    _permit: OwnedSemaphorePermit,
    _entry: Entry<K>,
}

impl<K: Eq + Hash + Clone> KeyedPermits<K> {
    pub fn new(each: usize) -> Arc<Self> {
        Arc::new(Self {
            each,
            semaphores: Mutex::default(),
        })
    }

    /// Acquires a permit of a key; `None` if all are taken.
    pub fn try_acquire(self: &Arc<Self>, key: &K) -> Option<KeyedPermit<K>> {
        let entry = self.entry(key);
        let permit = entry.semaphore()?.try_acquire_owned().ok()?;
        Some(KeyedPermit {
            _permit: permit,
            _entry: entry,
        })
    }

    /// Waits for a permit of a key.
    pub async fn acquire(self: &Arc<Self>, key: &K) -> Option<KeyedPermit<K>> {
        let entry = self.entry(key);
        // The semaphore is never closed.
        let permit = entry.semaphore()?.acquire_owned().await.ok()?;
        Some(KeyedPermit {
            _permit: permit,
            _entry: entry,
        })
    }

    fn entry(self: &Arc<Self>, key: &K) -> Entry<K> {
        let mut semaphores = self.semaphores();
        let semaphore = semaphores
            .entry(key.clone())
            .or_insert_with(|| Arc::new(Semaphore::new(self.each)));
        Entry {
            key: key.clone(),
            semaphore: Some(Arc::clone(semaphore)),
            of: Arc::clone(self),
        }
    }

    fn semaphores(&self) -> MutexGuard<'_, HashMap<K, Arc<Semaphore>>> {
        self.semaphores
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }
}

/// The semaphore of a key, while a permit of it is held or awaited.
#[derive(Debug)]
struct Entry<K: Eq + Hash + Clone> {
    key: K,
    /// `None` only during drop.
    semaphore: Option<Arc<Semaphore>>,
    of: Arc<KeyedPermits<K>>,
}

impl<K: Eq + Hash + Clone> Entry<K> {
    fn semaphore(&self) -> Option<Arc<Semaphore>> {
        self.semaphore.clone()
    }
}

impl<K: Eq + Hash + Clone> Drop for Entry<K> {
    fn drop(&mut self) {
        let mut semaphores = self.of.semaphores();
        // Dropped while the map is locked: of several concurrent drops, the last one sees that only the map holds it.
        self.semaphore = None;
        let is_last = |semaphore: &Arc<Semaphore>| Arc::strong_count(semaphore) == 1;
        if semaphores.get(&self.key).is_some_and(is_last) {
            semaphores.remove(&self.key);
        }
    }
}

/// Permits of one caller at several limits, held together.
#[derive(Default)]
pub struct HeldPermits(Vec<Box<dyn Any>>);

impl HeldPermits {
    /// Adds a permit.
    pub fn add(&mut self, permit: impl Any) {
        self.0.push(Box::new(permit));
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt;

    use super::*;

    #[test]
    fn a_key_has_its_number_of_permits_and_others_have_their_own() {
        let permits = KeyedPermits::new(2);
        let held = [permits.try_acquire(&1), permits.try_acquire(&1)];
        assert!(held.iter().all(Option::is_some));
        assert!(permits.try_acquire(&1).is_none());
        assert!(permits.try_acquire(&2).is_some());
        drop(held);
        assert!(permits.try_acquire(&1).is_some());
    }

    #[test]
    fn keys_without_permits_are_forgotten() {
        let permits = KeyedPermits::new(1);
        for key in 0..100 {
            assert!(permits.try_acquire(&key).is_some());
        }
        assert!(permits.semaphores().is_empty());
        let held = permits.try_acquire(&1);
        assert!(permits.try_acquire(&1).is_none());
        assert!(permits.acquire(&1).now_or_never().is_none(), "it waits");
        assert_eq!(permits.semaphores().len(), 1);
        drop(held);
        assert!(permits.semaphores().is_empty());
    }

    #[test]
    fn keys_whose_permits_end_at_once_are_forgotten() {
        let permits = KeyedPermits::new(8);
        for _ in 0..200 {
            std::thread::scope(|scope| {
                for _ in 0..4 {
                    scope.spawn(|| {
                        for _ in 0..50 {
                            drop(permits.try_acquire(&1));
                        }
                    });
                }
            });
            assert!(permits.semaphores().is_empty());
        }
    }

    #[tokio::test]
    async fn a_waiting_caller_gets_the_next_permit() {
        let permits = KeyedPermits::new(1);
        let held = permits.try_acquire(&1);
        let waiting = {
            let permits = Arc::clone(&permits);
            tokio::spawn(async move { permits.acquire(&1).await.is_some() })
        };
        tokio::task::yield_now().await;
        drop(held);
        assert!(waiting.await.unwrap());
        assert!(permits.semaphores().is_empty());
    }
}
