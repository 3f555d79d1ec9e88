//! Temporary PostgreSQL databases, into which dumps are restored to verify them.

use std::fmt;

use diesel::connection::SimpleConnection;
use diesel::prelude::*;
use diesel::sql_types::{BigInt, Bool, Text};

use crate::database::connection::{AnyConnection, open, with_defaults};
use crate::database::error::{Error, StorageError};
use crate::database::migrations;
use crate::database::url::DatabaseUrl;
use crate::database::{Database, DatabaseOptions};
use crate::operate::backup::{BackupContents, count};

/// The URL of a PostgreSQL database, as libpq reads it, with its password apart. `Debug` hides the password.
#[derive(Clone, PartialEq, Eq)]
pub struct ConnectionString {
    without_password: String,
    password: Option<String>,
}

impl fmt::Debug for ConnectionString {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ConnectionString({})", self.without_password)
    }
}

impl ConnectionString {
    fn new(url: &str) -> Self {
        let (scheme, rest) = url.split_once("://").unwrap_or(("postgres", url));
        let end = rest.find(['/', '?']).unwrap_or(rest.len());
        let (authority, rest) = rest.split_at_checked(end).unwrap_or((rest, ""));
        let mut password = None;
        let authority = match authority.rsplit_once('@') {
            Some((user_info, hosts)) => match user_info.split_once(':') {
                Some((user, secret)) => {
                    password = Some(decoded(secret));
                    format!("{user}@{hosts}")
                }
                None => authority.to_owned(),
            },
            None => authority.to_owned(),
        };
        let (path, parameters) = rest.split_once('?').unwrap_or((rest, ""));
        let mut kept = Vec::new();
        for parameter in parameters.split('&').filter(|text| !text.is_empty()) {
            match parameter.split_once('=') {
                Some(("password", secret)) => password = Some(decoded(secret)),
                _ => kept.push(parameter),
            }
        }
        let mut without_password = format!("{scheme}://{authority}{path}");
        if !kept.is_empty() {
            without_password.push('?');
            without_password.push_str(&kept.join("&"));
        }
        Self {
            without_password,
            password,
        }
    }

    /// The URL without a password, for a command line.
    #[must_use]
    pub fn without_password(&self) -> &str {
        &self.without_password
    }

    /// The password in the URL, decoded.
    #[must_use]
    pub fn password(&self) -> Option<&str> {
        self.password.as_deref()
    }
}

/// Decodes `%XX`, as libpq does.
fn decoded(text: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = text.as_bytes();
    while let [first, others @ ..] = rest {
        rest = others;
        let code = match (first, others) {
            (b'%', [high, low, after @ ..]) => {
                let digit = |c: u8| char::from(c).to_digit(16);
                let code = digit(*high).zip(digit(*low));
                code.and_then(|(high, low)| u8::try_from(high * 16 + low).ok())
                    .inspect(|_| rest = after)
            }
            _ => None,
        };
        bytes.push(code.unwrap_or(*first));
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Replaces the name of the database in a URL.
fn with_database(url: &str, name: &str) -> String {
    let (scheme, rest) = url.split_once("://").unwrap_or(("postgres", url));
    let end = rest.find(['/', '?']).unwrap_or(rest.len());
    let (authority, rest) = rest.split_at_checked(end).unwrap_or((rest, ""));
    let parameters = rest
        .split_once('?')
        .map_or("", |(_, parameters)| parameters);
    let kept: Vec<&str> = parameters
        .split('&')
        .filter(|text| !text.is_empty() && !text.starts_with("dbname="))
        .collect();
    match kept.is_empty() {
        true => format!("{scheme}://{authority}/{name}"),
        false => format!("{scheme}://{authority}/{name}?{}", kept.join("&")),
    }
}

/// A temporary PostgreSQL database. Dropping this value drops the database.
#[derive(Debug)]
pub struct TemporaryDatabase {
    from: Database,
    name: String,
    url: String,
    connection_string: ConnectionString,
}

#[derive(QueryableByName)]
struct Role {
    #[diesel(sql_type = Bool)]
    may_create: bool,
    #[diesel(sql_type = BigInt)]
    database: i64,
}

#[derive(QueryableByName)]
struct Existing {
    #[diesel(sql_type = Text)]
    #[expect(dead_code, reason = "only its presence matters")]
    name: String,
}

impl Database {
    /// Returns the URL of a PostgreSQL database with its password apart, for PostgreSQL's own programs; none on SQLite.
    #[must_use]
    pub fn connection_string(&self) -> Option<ConnectionString> {
        match self.url() {
            DatabaseUrl::Sqlite(_) => None,
            DatabaseUrl::Postgres(url) => Some(self.connection_string_of(url)),
        }
    }

    fn connection_string_of(&self, url: &str) -> ConnectionString {
        ConnectionString::new(&with_defaults(url, self.options().connect_timeout))
    }

    /// Creates an empty database on the same PostgreSQL server. Returns `None` if the role may not create databases, or on
    /// SQLite. Replaces a database that an earlier process left.
    ///
    /// # Errors
    /// If the server fails.
    pub fn create_temporary(&self) -> Result<Option<TemporaryDatabase>, Error> {
        let DatabaseUrl::Postgres(url) = self.url() else {
            return Ok(None);
        };
        let mut connection = self.open_another()?;
        let AnyConnection::Postgres(server) = &mut connection else {
            return Ok(None);
        };
        let role: Role = diesel::sql_query(
            "SELECT rolcreatedb OR rolsuper AS may_create,
                    (SELECT CAST(oid AS BIGINT) FROM pg_database WHERE datname = current_database()) AS database
             FROM pg_roles WHERE rolname = current_user",
        )
        .get_result(server)
        .map_err(failed)?;
        if !role.may_create {
            return Ok(None);
        }
        // The number differs between installations on one server.
        let name = format!("assay_verify_{}", role.database);
        drop_database(server, &name)?;
        server
            .batch_execute(&format!("CREATE DATABASE {name} TEMPLATE template0"))
            .map_err(failed)?;
        let url = with_database(url, &name);
        Ok(Some(TemporaryDatabase {
            from: self.clone(),
            connection_string: self.connection_string_of(&url),
            name,
            url,
        }))
    }
}

impl TemporaryDatabase {
    /// Its URL, for PostgreSQL's own programs.
    #[must_use]
    pub const fn connection_string(&self) -> &ConnectionString {
        &self.connection_string
    }

    /// Checks that all migrations of this program are applied and no others, and counts the rows.
    ///
    /// # Errors
    /// If the database is of another version, or the server fails.
    pub fn contents(&self) -> Result<BackupContents, Error> {
        let url = DatabaseUrl::Postgres(self.url.clone());
        let timeout = DatabaseOptions::default().connect_timeout;
        let mut connection = open(&url, timeout)?;
        if let AnyConnection::Postgres(server) = &mut connection {
            without_timeout(server)?;
        }
        let schema =
            migrations::state(&mut connection).map_err(|fault| Error::Store(fault.into()))?;
        if !schema.unknown.is_empty() {
            return Err(Error::NewerSchema(schema.unknown));
        }
        count(&mut connection)
    }
}

impl Drop for TemporaryDatabase {
    fn drop(&mut self) {
        let dropped = self
            .from
            .open_another()
            .and_then(|mut connection| match &mut connection {
                AnyConnection::Postgres(server) => drop_database(server, &self.name),
                AnyConnection::Sqlite(_) => Ok(()),
            });
        if let Err(error) = dropped {
            tracing::warn!(database = self.name, %error, "temporary database not dropped");
        }
    }
}

fn drop_database(server: &mut PgConnection, name: &str) -> Result<(), Error> {
    without_timeout(server)?;
    let found: Vec<Existing> = diesel::sql_query(
        "SELECT CAST(datname AS TEXT) AS name FROM pg_database WHERE datname = $1",
    )
    .bind::<Text, _>(name)
    .load(server)
    .map_err(failed)?;
    if found.is_empty() {
        return Ok(());
    }
    server
        .batch_execute(&format!("DROP DATABASE {name} WITH (FORCE)"))
        .map_err(failed)
}

/// Removes the statement timeout: creating, dropping and counting may take longer than it allows.
fn without_timeout(server: &mut PgConnection) -> Result<(), Error> {
    server
        .batch_execute("SET statement_timeout = 0")
        .map_err(failed)
}

fn failed(error: diesel::result::Error) -> Error {
    Error::Store(StorageError::from(error).into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_password_is_taken_out_of_the_url() {
        for (url, without, password) in [
            ("postgres://u@h/d", "postgres://u@h/d", None),
            (
                "postgres://u:p%40w@h:1,i:2/d",
                "postgres://u@h:1,i:2/d",
                Some("p@w"),
            ),
            (
                "postgres://h/d?sslmode=require&password=a%2Fb&connect_timeout=3",
                "postgres://h/d?sslmode=require&connect_timeout=3",
                Some("a/b"),
            ),
            ("postgres://h/d?password=x", "postgres://h/d", Some("x")),
        ] {
            let parsed = ConnectionString::new(url);
            assert_eq!(parsed.without_password(), without, "{url}");
            assert_eq!(parsed.password(), password, "{url}");
            assert!(!format!("{parsed:?}").contains("p@w"));
        }
    }

    #[test]
    fn the_database_of_a_url_is_replaced() {
        for (url, expected) in [
            ("postgres://u:p@h/d", "postgres://u:p@h/x"),
            ("postgres://h", "postgres://h/x"),
            ("postgres:///d?host=/run/pg", "postgres:///x?host=/run/pg"),
            ("postgres://h/d?dbname=e&user=u", "postgres://h/x?user=u"),
        ] {
            assert_eq!(with_database(url, "x"), expected, "{url}");
        }
    }
}
