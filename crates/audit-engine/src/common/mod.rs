//! Algorithms that several checks share, a file for each, in folders by subject.

pub(crate) mod documents;
pub(crate) mod http;
pub(crate) mod links;
pub(crate) mod measures;
pub(crate) mod robots;
pub(crate) mod text;
pub(crate) mod urls;
