//! Policies that a site declares in headers and meta elements, parsed according to their standards.

pub mod cache;
pub mod cookie;
pub mod csp;
pub mod frame_options;
pub mod hsts;
pub mod referrer;
pub mod security_txt;
pub mod structured_item;
