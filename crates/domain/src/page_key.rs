//! The address of a page, cut to what recognizes it.

use std::fmt;

use sha2::{Digest, Sha256};

use crate::serde_text::serde_as_text;

/// The address of a page, as evidence keeps it: the first 128 bits of the SHA-256 of the URL without
/// its fragment. An address may be thousands of characters long and a page needs only to be
/// recognized; two addresses with one key are not to be expected.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PageKey([u8; 16]);

impl PageKey {
    /// The key of an address.
    #[must_use]
    pub fn from_url(url: &str) -> Self {
        let url = url.split_once('#').map_or(url, |(page, _)| page);
        let mut key = [0; 16];
        for (to, from) in key.iter_mut().zip(Sha256::digest(url)) {
            *to = from;
        }
        Self(key)
    }

    /// The key as it is stored: 32 hexadecimal digits.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let number = u128::from_str_radix(text, 16).ok()?;
        let key = Self(number.to_be_bytes());
        (key.to_string() == text).then_some(key)
    }
}

impl fmt::Display for PageKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:032x}", u128::from_be_bytes(self.0))
    }
}

serde_as_text!(PageKey, PageKey::parse);
