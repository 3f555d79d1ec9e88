//! Which targets may be visited.
