//! The three stores.

use domain::ports::Stores;
use testkit::MemoryStores;

pub(crate) fn on_memory(behaviour: impl FnOnce(&dyn Stores)) {
    behaviour(&MemoryStores::default());
}
