//! Responses: bodies, cookies, compression, transport security and error pages.

pub(crate) mod compression;
pub(crate) mod cookies;
pub(crate) mod home;
pub(crate) mod probe_page;
pub(crate) mod sniff;
pub(crate) mod soft_404;
pub(crate) mod transport;
