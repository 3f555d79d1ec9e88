//! Which passwords are accepted.

/// The fewest characters of a password.
pub const MIN_PASSWORD_CHARS: usize = 12;

/// The most characters of a password; a longer one only costs time to hash.
pub const MAX_PASSWORD_CHARS: usize = 128;

/// Why a password is not accepted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum WeakPassword {
    /// Fewer than [`MIN_PASSWORD_CHARS`] characters.
    #[error("Use at least {MIN_PASSWORD_CHARS} characters.")]
    TooShort,
    /// More than [`MAX_PASSWORD_CHARS`] characters.
    #[error("Use at most {MAX_PASSWORD_CHARS} characters.")]
    TooLong,
    /// A program guesses it quickly.
    #[error(
        "This password is easy to guess. Use several unrelated words, or let a password manager create one."
    )]
    Guessable,
}

/// Checks the length of a new password (NIST SP 800-63B, section 3.1.1.2: length, not composition) and asks
/// `is_guessable` about the rest.
///
/// # Errors
/// [`WeakPassword`] says what to do instead.
pub fn checked_password(
    text: &str,
    is_guessable: impl FnOnce(&str) -> bool,
) -> Result<(), WeakPassword> {
    let chars = text.chars().take(MAX_PASSWORD_CHARS + 1).count();
    if chars < MIN_PASSWORD_CHARS {
        Err(WeakPassword::TooShort)
    } else if chars > MAX_PASSWORD_CHARS {
        Err(WeakPassword::TooLong)
    } else if is_guessable(text) {
        Err(WeakPassword::Guessable)
    } else {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn length_is_counted_in_characters() {
        let checked = |text: &str| checked_password(text, |_| false);
        assert_eq!(checked(&"ä".repeat(11)), Err(WeakPassword::TooShort));
        assert_eq!(checked(&"ä".repeat(12)), Ok(()));
        assert_eq!(checked(&"ä".repeat(128)), Ok(()));
        assert_eq!(checked(&"ä".repeat(129)), Err(WeakPassword::TooLong));
    }

    #[test]
    fn a_guessable_password_is_refused() {
        assert_eq!(
            checked_password("password1234", |_| true),
            Err(WeakPassword::Guessable)
        );
    }
}
