//! What several checks share.

pub(crate) mod language;
