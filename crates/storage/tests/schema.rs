//! The migrations, and the schema they make.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test fails where it cannot go on"
)]

mod support;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use diesel::prelude::*;
use diesel::sql_types::{Bool, Nullable, Text};
use diesel_migrations::{FileBasedMigrations, MigrationHarness};
use domain::ports::{Health, RunStore};
use storage::{DatabaseUrl, Error};
use support::{TestDatabase, new_org, new_run};

fn migrations(side: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../../migrations/{side}"))
}

fn names(side: &str) -> BTreeSet<String> {
    let entries = std::fs::read_dir(migrations(side)).unwrap();
    entries
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect()
}

#[derive(QueryableByName, Debug, PartialEq, Eq, PartialOrd, Ord, Clone)]
struct Column {
    #[diesel(sql_type = Text)]
    table_name: String,
    #[diesel(sql_type = Text)]
    column_name: String,
    #[diesel(sql_type = Text)]
    data_type: String,
    #[diesel(sql_type = Bool)]
    may_be_null: bool,
}

#[derive(QueryableByName, Debug, PartialEq, Eq, PartialOrd, Ord, Clone)]
struct Index {
    #[diesel(sql_type = Text)]
    table_name: String,
    #[diesel(sql_type = Text)]
    index_name: String,
    #[diesel(sql_type = Bool)]
    is_unique: bool,
    #[diesel(sql_type = Nullable<Text>)]
    columns: Option<String>,
}

/// What both databases should have alike.
#[derive(Debug, PartialEq, Eq)]
struct Schema {
    columns: BTreeSet<Column>,
    indexes: BTreeSet<Index>,
}

const SQLITE_COLUMNS: &str = "
    SELECT t.name AS table_name, c.name AS column_name, lower(c.type) AS data_type,
           c.\"notnull\" = 0 AS may_be_null
    FROM sqlite_schema t, pragma_table_info(t.name) c
    WHERE t.type = 'table' AND t.name NOT LIKE 'sqlite%' AND t.name NOT LIKE '\\_\\_%' ESCAPE '\\'";
const SQLITE_INDEXES: &str = "
    SELECT t.name AS table_name, i.name AS index_name, i.\"unique\" AS is_unique,
           (SELECT group_concat(name, ',') FROM (
               SELECT name FROM pragma_index_info(i.name) ORDER BY seqno
           )) AS columns
    FROM sqlite_schema t, pragma_index_list(t.name) i
    WHERE t.type = 'table' AND i.origin = 'c'";
const POSTGRESQL_COLUMNS: &str = "
    SELECT table_name::text, column_name::text,
           replace(data_type, ' without time zone', '')::text AS data_type,
           is_nullable = 'YES' AS may_be_null
    FROM information_schema.columns
    WHERE table_schema = 'public' AND table_name NOT LIKE '\\_\\_%'";
const POSTGRESQL_INDEXES: &str = "
    SELECT t.relname::text AS table_name, c.relname::text AS index_name,
           i.indisunique AS is_unique,
           (SELECT string_agg(a.attname::text, ',' ORDER BY k.place)
            FROM unnest(i.indkey) WITH ORDINALITY AS k (number, place)
            JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum = k.number) AS columns
    FROM pg_index i
    JOIN pg_class c ON c.oid = i.indexrelid
    JOIN pg_class t ON t.oid = i.indrelid
    JOIN pg_namespace n ON n.oid = t.relnamespace AND n.nspname = 'public'
    WHERE NOT i.indisprimary AND t.relname NOT LIKE '\\_\\_%'";

macro_rules! schema {
    ($connection:expr, $columns:expr, $indexes:expr) => {
        Schema {
            columns: (diesel::sql_query($columns)
                .load::<Column>($connection)
                .unwrap())
            .into_iter()
            .map(alike)
            .collect(),
            indexes: (diesel::sql_query($indexes)
                .load::<Index>($connection)
                .unwrap())
            .into_iter()
            .collect(),
        }
    };
}

/// SQLite numbers its rows with an `INTEGER`, which has 64 bits there.
fn alike(column: Column) -> Column {
    match column.data_type.as_str() {
        "integer" => Column {
            data_type: "bigint".to_owned(),
            ..column
        },
        _ => column,
    }
}

fn sqlite_connection(place: &TestDatabase) -> SqliteConnection {
    let DatabaseUrl::Sqlite(path) = &place.url else {
        panic!("{:?}", place.url);
    };
    SqliteConnection::establish(path.to_str().unwrap()).unwrap()
}

fn postgres_connection(place: &TestDatabase) -> PgConnection {
    let DatabaseUrl::Postgres(url) = &place.url else {
        panic!("{:?}", place.url);
    };
    PgConnection::establish(url).unwrap()
}

#[test]
fn both_databases_have_the_same_migrations() {
    assert_eq!(names("sqlite"), names("postgresql"));
}

#[test]
fn migrating_answers_what_was_run() {
    for place in TestDatabase::all() {
        let database = place.connect();
        assert!(database.ready().is_err());
        let ran = database.migrate().unwrap();
        assert_eq!(ran.into_iter().collect::<BTreeSet<_>>(), names("sqlite"));
        assert_eq!(database.migrate().unwrap(), Vec::<String>::new());
        database.ready().unwrap();
    }
}

#[test]
fn of_processes_that_start_together_one_migrates() {
    for place in TestDatabase::all() {
        // Each has connections of its own, as a process has.
        let ran: usize = std::thread::scope(|scope| {
            let starts: Vec<_> = (0..4)
                .map(|_| scope.spawn(|| place.connect().migrate().unwrap().len()))
                .collect();
            starts.into_iter().map(|start| start.join().unwrap()).sum()
        });
        assert_eq!(ran, names("sqlite").len());
    }
}

#[test]
fn a_schema_of_a_later_version_is_refused() {
    for place in TestDatabase::all() {
        let database = place.migrated();
        let sql = "INSERT INTO __diesel_schema_migrations (version) VALUES ('20991231000000')";
        place.execute(sql).unwrap();
        match database.migrate() {
            Err(Error::NewerSchema(versions)) => assert_eq!(versions, ["20991231000000"]),
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn both_databases_get_the_same_schema_and_up_after_down_too() {
    let place = TestDatabase::sqlite();
    place.migrated();
    let mut connection = sqlite_connection(&place);
    let source = FileBasedMigrations::from_path(migrations("sqlite")).unwrap();
    let sqlite = schema!(&mut connection, SQLITE_COLUMNS, SQLITE_INDEXES);
    assert!(sqlite.columns.len() > 100 && sqlite.indexes.len() > 10);
    connection.revert_all_migrations(source.clone()).unwrap();
    let empty = schema!(&mut connection, SQLITE_COLUMNS, SQLITE_INDEXES);
    assert_eq!((empty.columns.len(), empty.indexes.len()), (0, 0));
    connection.run_pending_migrations(source).unwrap();
    assert_eq!(
        schema!(&mut connection, SQLITE_COLUMNS, SQLITE_INDEXES),
        sqlite
    );

    let place = TestDatabase::postgres();
    place.migrated();
    let mut connection = postgres_connection(&place);
    let source = FileBasedMigrations::from_path(migrations("postgresql")).unwrap();
    assert_eq!(
        schema!(&mut connection, POSTGRESQL_COLUMNS, POSTGRESQL_INDEXES),
        sqlite
    );
    connection.revert_all_migrations(source.clone()).unwrap();
    let empty = schema!(&mut connection, POSTGRESQL_COLUMNS, POSTGRESQL_INDEXES);
    assert_eq!((empty.columns.len(), empty.indexes.len()), (0, 0));
    connection.run_pending_migrations(source).unwrap();
    assert_eq!(
        schema!(&mut connection, POSTGRESQL_COLUMNS, POSTGRESQL_INDEXES),
        sqlite
    );
}

#[test]
fn the_audit_log_only_grows() {
    for place in TestDatabase::all() {
        new_org(&place.migrated());
        for sql in [
            "UPDATE audit_log SET actor = 'nobody'",
            "DELETE FROM audit_log",
        ] {
            let error = place.execute(sql).unwrap_err();
            assert!(error.contains("append-only"), "{error}");
        }
    }
}

#[test]
fn no_row_points_into_another_organization() {
    for place in TestDatabase::all() {
        let database = place.migrated();
        let (one, other) = (new_org(&database), new_org(&database));
        let run = new_run("example.com");
        database.start_run(&one, &run).unwrap();
        let error = place
            .execute(&format!("UPDATE runs SET org_id = '{other}'"))
            .unwrap_err();
        assert!(error.to_lowercase().contains("foreign key"), "{error}");
    }
}
