//! Database URLs.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

/// The kind and location of a database. Its display form never shows a password.
///
/// ```
/// use storage::DatabaseUrl;
///
/// let url: DatabaseUrl = "postgres://assay:secret@db.example/assay".parse()?;
/// assert_eq!(url.to_string(), "postgres://assay:***@db.example/assay");
/// # Ok::<(), storage::InvalidDatabaseUrl>(())
/// ```
#[derive(Clone, PartialEq, Eq)]
pub enum DatabaseUrl {
    /// An SQLite file.
    Sqlite(PathBuf),
    /// The URL of a PostgreSQL database, as libpq reads it.
    Postgres(String),
}

/// A text that is not a database URL.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum InvalidDatabaseUrl {
    /// The scheme is unknown.
    #[error(
        "unknown database `{0}:…`; supported are `postgres://…`, `postgresql://…`, `sqlite:PATH` and a plain path"
    )]
    Scheme(String),
    /// The text is neither a URL nor a file path. It is not repeated, because it may contain a password.
    #[error(
        "the database must be `postgres://USER@HOST/NAME` or `sqlite:FILE`; write `sqlite:` before a path that contains `=` or `@`"
    )]
    NoUrl,
    /// The file name is missing.
    #[error("the database must be a file; set its path, for example `sqlite:assay-data/assay.db`")]
    NoFile,
}

impl FromStr for DatabaseUrl {
    type Err = InvalidDatabaseUrl;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let path = match text.split_once(':') {
            Some(("postgres" | "postgresql", rest)) if rest.starts_with("//") => {
                return Ok(Self::Postgres(text.to_owned()));
            }
            Some(("sqlite", rest)) => rest.strip_prefix("//").unwrap_or(rest),
            Some((scheme, _)) if is_scheme(scheme) => {
                return Err(InvalidDatabaseUrl::Scheme(scheme.to_owned()));
            }
            // libpq also accepts `host=… password=…`, and a URL may lack its scheme. Read as a file name, either
            // would contain a password.
            _ if text.contains(['=', '@']) => {
                return Err(InvalidDatabaseUrl::NoUrl);
            }
            _ => text,
        };
        if path.is_empty() || path == ":memory:" {
            return Err(InvalidDatabaseUrl::NoFile);
        }
        Ok(Self::Sqlite(PathBuf::from(path)))
    }
}

/// Whether the text before a colon is a URL scheme. A single letter is a Windows drive.
fn is_scheme(text: &str) -> bool {
    text.len() > 1
        && text.starts_with(|first: char| first.is_ascii_alphabetic())
        && text
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.'))
}

impl DatabaseUrl {
    /// Returns whether the URL lists several PostgreSQL servers; the driver uses the first one that accepts the
    /// connection.
    #[must_use]
    pub fn lists_several_hosts(&self) -> bool {
        match self {
            Self::Sqlite(_) => false,
            Self::Postgres(url) => lists_several_hosts(url),
        }
    }

    /// Returns the value of libpq's `target_session_attrs` in the URL: which of several servers may be used.
    #[must_use]
    pub fn target_session_attrs(&self) -> Option<&str> {
        match self {
            Self::Sqlite(_) => None,
            Self::Postgres(url) => parameter(url, TARGET_SESSION_ATTRS),
        }
    }
}

/// The URL parameter that selects which of several servers may be used.
pub(crate) const TARGET_SESSION_ATTRS: &str = "target_session_attrs";

/// Returns whether a PostgreSQL URL lists several servers, before the path or in parameters.
pub(crate) fn lists_several_hosts(url: &str) -> bool {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    let authority = rest.split(['/', '?']).next().unwrap_or_default();
    // A comma before the last `@` belongs to the user or the password.
    let hosts = authority.rsplit('@').next().unwrap_or_default();
    let lists = |text: &str| text.contains(',') || text.to_ascii_lowercase().contains("%2c");
    lists(hosts)
        || ["host", "hostaddr"]
            .into_iter()
            .filter_map(|name| parameter(url, name))
            .any(lists)
}

/// Returns the raw value of a URL parameter.
pub(crate) fn parameter<'a>(url: &'a str, name: &str) -> Option<&'a str> {
    let (_, parameters) = url.split_once('?')?;
    parameters
        .split('&')
        .filter_map(|parameter| parameter.split_once('='))
        .find_map(|(known, value)| (known == name).then_some(value))
}

impl fmt::Display for DatabaseUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Sqlite(path) => write!(f, "sqlite:{}", path.display()),
            Self::Postgres(url) => f.write_str(&without_password(url)),
        }
    }
}

impl fmt::Debug for DatabaseUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "DatabaseUrl({self})")
    }
}

/// Replaces every password in the URL with `***`. If it is ambiguous what belongs to the password, for
/// example because of an unescaped `@`, it hides more rather than less.
fn without_password(url: &str) -> String {
    let Some((scheme, rest)) = url.split_once("://") else {
        return "***".to_owned();
    };
    let (user_info, place) = match rest.rsplit_once('@') {
        Some((user_info, place)) => (Some(user_info), place),
        None => (None, rest),
    };
    let place = match place.split_once('?') {
        Some((place, parameters)) => format!("{place}?{}", without_secrets(parameters)),
        None => place.to_owned(),
    };
    match user_info.map(|user_info| user_info.split_once(':').unwrap_or((user_info, ""))) {
        None => format!("{scheme}://{place}"),
        Some((user, "")) => format!("{scheme}://{user}@{place}"),
        Some((user, _)) => format!("{scheme}://{user}:***@{place}"),
    }
}

fn without_secrets(parameters: &str) -> String {
    let shown: Vec<_> = parameters
        .split('&')
        .map(|parameter| match parameter.split_once('=') {
            Some((name, _)) if name.contains("pass") => format!("{name}=***"),
            _ => parameter.to_owned(),
        })
        .collect();
    shown.join("&")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_scheme_selects_the_database() {
        for text in ["postgres://localhost/a", "postgresql:///a"] {
            assert_eq!(text.parse(), Ok(DatabaseUrl::Postgres(text.to_owned())));
        }
        for (text, path) in [
            ("sqlite:data/assay.db", "data/assay.db"),
            ("sqlite://data/assay.db", "data/assay.db"),
            ("sqlite:///var/assay.db", "/var/assay.db"),
            ("/var/assay.db", "/var/assay.db"),
            ("./a:b.db", "./a:b.db"),
            ("data/a:b.db", "data/a:b.db"),
            (r"C:\assay\assay.db", r"C:\assay\assay.db"),
            ("C:/assay/assay.db", "C:/assay/assay.db"),
        ] {
            assert_eq!(text.parse(), Ok(DatabaseUrl::Sqlite(path.into())), "{text}");
        }
    }

    #[test]
    fn an_unknown_scheme_lists_the_supported_ones() {
        for (url, scheme) in [
            ("mysql://localhost/a", "mysql"),
            ("mysql:x", "mysql"),
            ("postgres:/x", "postgres"),
            ("postgres:x", "postgres"),
            ("postgresql:x", "postgresql"),
            ("SQLite:x", "SQLite"),
        ] {
            let error = url.parse::<DatabaseUrl>().unwrap_err();
            assert_eq!(error, InvalidDatabaseUrl::Scheme(scheme.to_owned()));
            let text = error.to_string();
            assert!(text.contains(&format!("`{scheme}:…`")), "{text}");
            assert!(text.contains("`postgres://…`"), "{text}");
            assert!(text.contains("`sqlite:PATH`"), "{text}");
        }
    }

    #[test]
    fn a_text_that_may_contain_a_password_is_not_a_file_name() {
        for text in ["host=h password=geheim", "u@h/x", "u/geheim@h/x"] {
            let error = text.parse::<DatabaseUrl>().unwrap_err();
            assert_eq!(error, InvalidDatabaseUrl::NoUrl, "{text}");
            assert!(!error.to_string().contains("geheim"));
        }
        assert!("sqlite:a=b.db".parse::<DatabaseUrl>().is_ok());
    }

    #[test]
    fn a_file_is_needed() {
        for text in ["", "sqlite:", "sqlite://", "sqlite::memory:", ":memory:"] {
            let parsed = text.parse::<DatabaseUrl>();
            assert_eq!(parsed, Err(InvalidDatabaseUrl::NoFile), "{text}");
        }
    }

    #[test]
    fn several_hosts_are_detected() {
        for (url, several) in [
            ("postgres://u:p@a,b/d", true),
            ("postgres://a:5432,b:5433/d", true),
            ("postgres:///d?host=a,b", true),
            (
                "postgres:///d?sslmode=require&hostaddr=10.0.0.1%2C10.0.0.2",
                true,
            ),
            ("postgres://u:p,w@a/d", false),
            ("postgres://a/d,e?application_name=x,y", false),
            ("postgres:///d?host=/run/postgresql", false),
            ("sqlite:a,b.db", false),
        ] {
            let parsed: DatabaseUrl = url.parse().unwrap();
            assert_eq!(parsed.lists_several_hosts(), several, "{url}");
        }
        let url: DatabaseUrl = "postgres://a,b/d?sslmode=require&target_session_attrs=any"
            .parse()
            .unwrap();
        assert_eq!(url.target_session_attrs(), Some("any"));
    }

    #[test]
    fn a_password_is_never_shown() {
        for (url, shown) in [
            ("postgres://u:pw@h:5432/d", "postgres://u:***@h:5432/d"),
            ("postgres://u:p@w/x?y@h/d", "postgres://u:***@h/d"),
            ("postgres://u@h/d", "postgres://u@h/d"),
            (
                "postgres://h:1/d?sslmode=require",
                "postgres://h:1/d?sslmode=require",
            ),
            (
                "postgres://h/d?user=u&password=pw",
                "postgres://h/d?user=u&password=***",
            ),
        ] {
            let url: DatabaseUrl = url.parse().unwrap();
            assert_eq!(url.to_string(), shown);
            assert_eq!(format!("{url:?}"), format!("DatabaseUrl({shown})"));
        }
    }
}
