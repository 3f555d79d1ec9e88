//! `security.txt` (RFC 9116).

use chrono::{DateTime, FixedOffset};

/// A field: its name in lower case and its value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Field {
    /// The name in lower case.
    pub name: String,
    /// The value, trimmed.
    pub value: String,
    /// The line, from 1.
    pub line: u32,
}

/// A parsed file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SecurityTxt {
    /// The fields in order.
    pub fields: Vec<Field>,
}

impl SecurityTxt {
    /// Parses the file. A signature, comments and invalid lines are skipped.
    #[must_use]
    pub fn parse(text: &str) -> Self {
        let mut fields = Vec::new();
        for (line, text) in (1_u32..).zip(text.trim_start_matches('\u{FEFF}').lines()) {
            if text.starts_with("-----BEGIN PGP SIGNATURE") {
                break;
            }
            if let Some(field) = field(line, text) {
                fields.push(field);
            }
        }
        Self { fields }
    }

    /// The fields with this name in order.
    pub fn all(&self, name: &str) -> impl Iterator<Item = &Field> {
        self.fields.iter().filter(move |field| field.name == name)
    }

    /// The date of the first `Expires`; an error with the text if it is not a date.
    #[must_use]
    pub fn expires(&self) -> Option<Result<DateTime<FixedOffset>, &str>> {
        let field = self.all("expires").next()?;
        let written = field.value.as_str();
        // The grammar allows lower-case letters (RFC 3339, section 5.6).
        Some(DateTime::parse_from_rfc3339(&written.to_ascii_uppercase()).map_err(|_| written))
    }
}

fn field(line: u32, text: &str) -> Option<Field> {
    if text.starts_with('#') || text.starts_with("-----") {
        return None;
    }
    // In a signed file, lines that begin with a dash are escaped (RFC 4880, section 7.1).
    let (name, value) = text.strip_prefix("- ").unwrap_or(text).split_once(':')?;
    let plain = !name.is_empty()
        && name
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
    plain.then(|| Field {
        name: name.to_ascii_lowercase(),
        value: value.trim().to_owned(),
        line,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_read_and_comments_are_not() {
        let file = SecurityTxt::parse("\u{FEFF}# Contact: x\nCONTACT: mailto:a@b.c\n\nno field\n");
        assert_eq!(file.fields.len(), 1);
        assert_eq!(file.fields[0].value, "mailto:a@b.c");
        assert_eq!(file.fields[0].line, 2);
    }

    #[test]
    fn a_signature_around_the_file_is_skipped() {
        let file = SecurityTxt::parse(
            "-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA256\n\nContact: mailto:a@b.c\n-----BEGIN PGP SIGNATURE-----\nVersion: x\n\nabc\n-----END PGP SIGNATURE-----",
        );
        assert_eq!(file.all("contact").count(), 1);
        assert_eq!(file.all("version").count(), 0);
    }

    #[test]
    fn invalid_dates_are_errors() {
        let expires = |value: &str| {
            SecurityTxt::parse(&format!("Expires: {value}"))
                .expires()
                .map(|date| date.is_ok())
        };
        assert_eq!(expires("2030-01-01T00:00:00.000Z"), Some(true));
        assert_eq!(expires("2030-01-01t00:00:00z"), Some(true));
        assert_eq!(expires("Thu, 31 Dec 2020 18:37:07 -0800"), Some(false));
        assert_eq!(SecurityTxt::parse("").expires(), None);
    }
}
