//! Organizations and the people in them.

use chrono::{DateTime, Utc};

use crate::id::{MemberId, OrgId};
use crate::key::Role;

/// The most characters that the name of an organization, a member or a key may have.
pub const MAX_NAME_CHARS: usize = 200;

/// The owner of sites, runs and reports.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Organization {
    /// Its id.
    pub id: OrgId,
    /// Its name.
    pub name: String,
    /// The name of its plan.
    pub plan: String,
    /// When it was made.
    pub created_at: DateTime<Utc>,
    /// Whether its members need a second factor to see its pages.
    pub requires_second_factor: bool,
}

/// A person in an organization.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Member {
    /// Its id.
    pub id: MemberId,
    /// The person's name.
    pub name: String,
    /// The person's address, lower case.
    pub email: String,
    /// What the person may do.
    pub role: Role,
    /// When it was added.
    pub created_at: DateTime<Utc>,
}

/// What is wrong with a name or an address.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum InvalidName {
    /// Nothing but white space.
    #[error("a name is required")]
    Empty,
    /// Longer than [`MAX_NAME_CHARS`].
    #[error("at most {MAX_NAME_CHARS} characters are allowed")]
    TooLong,
    /// It holds a control character, or one that nobody sees.
    #[error("control characters and invisible characters are not allowed")]
    ControlCharacter,
    /// It is no address of a mailbox.
    #[error("must be an e-mail address, for example ada@example.com")]
    NotAnAddress,
}

/// A name without the white space around it.
///
/// # Errors
/// When nothing is left, or it is too long, or holds control characters.
pub fn checked_name(text: &str) -> Result<String, InvalidName> {
    let name = text.trim();
    if name.is_empty() {
        return Err(InvalidName::Empty);
    }
    if name.chars().count() > MAX_NAME_CHARS {
        return Err(InvalidName::TooLong);
    }
    if name.chars().any(|c| c.is_control() || is_invisible(c)) {
        return Err(InvalidName::ControlCharacter);
    }
    Ok(name.to_owned())
}

/// Characters that nobody sees, and that hide or turn what stands around them.
const fn is_invisible(c: char) -> bool {
    matches!(
        c,
        '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{e0000}'..='\u{e007f}'
    )
}

/// An e-mail address in lower case. Whether a mailbox is there only a letter can tell, so the form is
/// judged loosely: something, an `@`, and a name.
///
/// # Errors
/// When it has not that form, is too long, or holds control characters.
pub fn checked_email(text: &str) -> Result<String, InvalidName> {
    let address = checked_name(text)?;
    let looks_right = address
        .rsplit_once('@')
        .is_some_and(|(local, host)| !local.is_empty() && !host.is_empty());
    if looks_right && !address.contains(char::is_whitespace) {
        Ok(address.to_lowercase())
    } else {
        Err(InvalidName::NotAnAddress)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_trimmed_and_bounded() {
        assert_eq!(checked_name("  Acme \n").as_deref(), Ok("Acme"));
        assert_eq!(checked_name(" \t"), Err(InvalidName::Empty));
        assert_eq!(checked_name(&"ä".repeat(200)), Ok("ä".repeat(200)));
        assert_eq!(checked_name(&"ä".repeat(201)), Err(InvalidName::TooLong));
        for hidden in ["a\0b", "\u{200b}", "a\u{202e}b", "\u{1b}[31m"] {
            assert_eq!(checked_name(hidden), Err(InvalidName::ControlCharacter));
        }
    }

    #[test]
    fn addresses_are_lower_case() {
        assert_eq!(
            checked_email("Ada@Example.com").as_deref(),
            Ok("ada@example.com")
        );
        for wrong in ["ada", "@example.com", "ada@", "a b@example.com"] {
            assert_eq!(
                checked_email(wrong),
                Err(InvalidName::NotAnAddress),
                "{wrong}"
            );
        }
    }
}
