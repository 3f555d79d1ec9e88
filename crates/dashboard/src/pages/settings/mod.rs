//! Settings: the organization, its members and keys, and the person's own account.

mod keys;

use crate::route::Route;

pub(super) const ROUTES: &[Route] = keys::ROUTES;
