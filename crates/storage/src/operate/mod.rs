//! What an operator does with a database, and asks of it.

pub(crate) mod backup;
pub(crate) mod health;
pub(crate) mod inspect;
pub(crate) mod invariants;
pub(crate) mod secret_check;
