//! Algorithms that several checks share: one file each, in folders by subject.

pub(crate) mod documents;
pub(crate) mod http;
pub(crate) mod links;
pub(crate) mod measures;
pub(crate) mod rendering;
pub(crate) mod robots;
pub(crate) mod text;
pub(crate) mod urls;
