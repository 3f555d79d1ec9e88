//! Operator functions of a database: backup, health, inspection and invariants.

pub(crate) mod backup;
pub(crate) mod backup_state;
pub(crate) mod health;
pub(crate) mod inspect;
pub(crate) mod invariants;
pub(crate) mod secret_check;
pub(crate) mod temporary;
