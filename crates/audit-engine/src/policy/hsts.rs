//! `Strict-Transport-Security` (RFC 6797 §6.1).

/// The values of the header.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Hsts {
    /// Seconds for which browsers enforce https.
    pub max_age: u64,
    /// Whether it applies to subdomains.
    pub include_subdomains: bool,
    /// Whether the site requests to be on the preload lists of browsers.
    pub preload: bool,
}

/// Why browsers ignore the header.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum HstsError {
    /// There is no `max-age`.
    #[error("it has no max-age")]
    NoMaxAge,
    /// `max-age` is not a number of seconds.
    #[error("its max-age `{0}` is not a number of seconds")]
    BadMaxAge(String),
    /// A directive occurs twice.
    #[error("the directive {0} occurs twice")]
    Repeated(String),
    /// A directive does not follow the grammar.
    #[error("`{0}` is not a directive")]
    Malformed(String),
}

impl Hsts {
    /// Parses the header.
    ///
    /// # Errors
    /// If it does not follow the grammar, so that browsers ignore it.
    pub fn parse(header: &str) -> Result<Self, HstsError> {
        let mut seen: Vec<String> = Vec::new();
        let mut max_age = None;
        for part in header.split(';').map(str::trim) {
            if part.is_empty() {
                continue;
            }
            let (name, value) = match part.split_once('=') {
                Some((name, value)) => (name.trim_end(), Some(unquote(value.trim_start()))),
                None => (part, None),
            };
            if !is_token(name) {
                return Err(HstsError::Malformed(part.to_owned()));
            }
            let name = name.to_ascii_lowercase();
            if seen.contains(&name) {
                return Err(HstsError::Repeated(name));
            }
            if name == "max-age" {
                max_age = Some(seconds(value.unwrap_or_default())?);
            }
            seen.push(name);
        }
        Ok(Self {
            max_age: max_age.ok_or(HstsError::NoMaxAge)?,
            include_subdomains: seen.iter().any(|name| name == "includesubdomains"),
            preload: seen.iter().any(|name| name == "preload"),
        })
    }
}

/// Numbers that overflow are capped.
fn seconds(value: &str) -> Result<u64, HstsError> {
    if value.is_empty() || !value.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(HstsError::BadMaxAge(value.to_owned()));
    }
    Ok(value.parse().unwrap_or(u64::MAX))
}

fn unquote(value: &str) -> &str {
    value
        .strip_prefix('"')
        .and_then(|value| value.strip_suffix('"'))
        .unwrap_or(value)
}

fn is_token(name: &str) -> bool {
    !name.is_empty()
        && name
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_usual_header_is_read() {
        let hsts = Hsts::parse("max-age=31536000; includeSubDomains; preload").unwrap();
        assert_eq!(hsts.max_age, 31_536_000);
        assert!(hsts.include_subdomains && hsts.preload);
    }

    #[test]
    fn quotes_case_spaces_empty_and_unknown_directives_are_allowed() {
        let hsts = Hsts::parse(";Max-Age = \"600\" ;; x=1").unwrap();
        assert_eq!(hsts.max_age, 600);
        assert!(!hsts.include_subdomains);
    }

    #[test]
    fn headers_that_browsers_ignore_are_errors() {
        assert_eq!(Hsts::parse("includeSubDomains"), Err(HstsError::NoMaxAge));
        assert!(matches!(
            Hsts::parse("max-age=1y"),
            Err(HstsError::BadMaxAge(_))
        ));
        assert!(matches!(
            Hsts::parse("max-age"),
            Err(HstsError::BadMaxAge(_))
        ));
        assert!(matches!(
            Hsts::parse("max-age=1; max-age=2"),
            Err(HstsError::Repeated(_))
        ));
        assert!(Hsts::parse("max-age=31536000, max-age=31536000").is_err());
        assert!(Hsts::parse("max-age=31536000 includeSubDomains").is_err());
    }
}
