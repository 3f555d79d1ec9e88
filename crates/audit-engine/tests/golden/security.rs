//! Changes.

use crate::{Change, change};

pub(crate) const CHANGES: &[Change] = &[];
