//! Why a file cannot be read, without the words of Rust.

use std::io::{Error, ErrorKind};

use crate::output::without_os_codes;

/// Why a file cannot be read, to follow "cannot read FILE: ".
pub(crate) fn in_words(error: &Error) -> String {
    match error.kind() {
        ErrorKind::NotFound => "there is no such file".to_owned(),
        ErrorKind::PermissionDenied => "permission denied".to_owned(),
        ErrorKind::IsADirectory => "it is a folder".to_owned(),
        ErrorKind::InvalidData => "it is not text in UTF-8".to_owned(),
        _ => without_os_codes(&error.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_number_of_the_system_is_shown() {
        let missing = Error::from(ErrorKind::NotFound);
        assert_eq!(in_words(&missing), "there is no such file");
        // "Input/output error (os error 5)" on Linux.
        let other = in_words(&Error::from_raw_os_error(5));
        assert!(!other.is_empty() && !other.contains("os error"), "{other}");
    }
}
