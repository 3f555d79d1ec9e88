//! The commands and pages that keep the service well.

mod backups;
mod configuration;
mod doctor;
mod logs;
mod metrics;
mod retention;

use std::process::Output;

use diesel::connection::SimpleConnection;
use diesel::{Connection, PgConnection, SqliteConnection};

use crate::Home;

impl Home {
    /// Runs statements beside a service.
    fn execute(&self, sql: &str) {
        match &self.database {
            Some(database) => {
                let mut connection = PgConnection::establish(database.url()).unwrap();
                connection.batch_execute(sql).unwrap();
            }
            None => {
                let file = self.path("data/assay.db");
                let mut connection = SqliteConnection::establish(file.to_str().unwrap()).unwrap();
                connection
                    .batch_execute("PRAGMA busy_timeout = 5000; PRAGMA foreign_keys = ON")
                    .unwrap();
                connection.batch_execute(sql).unwrap();
            }
        }
    }
}

fn said(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}
