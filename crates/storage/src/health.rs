//! Whether the database can work.

use diesel::prelude::*;
use domain::ports::{Health, StoreError};

use crate::database::Database;
use crate::error::Fault;
use crate::migrations;
use crate::schema::jobs;

impl Health for Database {
    fn ready(&self) -> Result<(), StoreError> {
        Ok(self.read(|connection| {
            let pending = migrations::pending(connection)?;
            if pending > 0 {
                return Err(Fault::Failed(format!("{pending} migrations are pending")));
            }
            jobs::table.count().get_result::<i64>(connection)?;
            Ok(())
        })?)
    }
}
