//! The migrations, and the schema that they create.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Barrier;

use crate::support::{TestDatabase, after, new_org, new_run};
use diesel::connection::SimpleConnection;
use diesel::prelude::*;
use diesel::sql_types::{BigInt, Bool, Nullable, Text};
use diesel_migrations::{FileBasedMigrations, MigrationHarness};
use domain::id::{OrgId, SiteId};
use domain::ports::{Health, JobQueue, QueueRules, RunStore, SiteStore, WorkerId};
use storage::{DatabaseUrl, Error};

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
    #[diesel(sql_type = Nullable<Text>)]
    default_value: Option<String>,
    /// Its position in the primary key, from one; zero if it is not part of it.
    #[diesel(sql_type = BigInt)]
    key_place: i64,
}

#[derive(QueryableByName, Debug, PartialEq, Eq, PartialOrd, Ord, Clone)]
struct ForeignKey {
    #[diesel(sql_type = Text)]
    table_name: String,
    #[diesel(sql_type = Text)]
    columns: String,
    #[diesel(sql_type = Text)]
    parent: String,
    #[diesel(sql_type = Text)]
    parent_columns: String,
    #[diesel(sql_type = Text)]
    on_delete: String,
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

/// The parts of a schema that must be the same on both databases.
#[derive(Debug, PartialEq, Eq)]
struct Schema {
    columns: BTreeSet<Column>,
    indexes: BTreeSet<Index>,
    foreign_keys: BTreeSet<ForeignKey>,
}

const SQLITE_COLUMNS: &str = "
    SELECT t.name AS table_name, c.name AS column_name, lower(c.type) AS data_type,
           c.\"notnull\" = 0 AS may_be_null, c.dflt_value AS default_value, c.pk AS key_place
    FROM sqlite_schema t, pragma_table_info(t.name) c
    WHERE t.type = 'table' AND t.name NOT LIKE 'sqlite%' AND t.name NOT LIKE '\\_\\_%' ESCAPE '\\'";
const SQLITE_INDEXES: &str = "
    SELECT t.name AS table_name, i.name AS index_name, i.\"unique\" AS is_unique,
           (SELECT group_concat(name, ',') FROM (
               SELECT name FROM pragma_index_info(i.name) ORDER BY seqno
           )) AS columns
    FROM sqlite_schema t, pragma_index_list(t.name) i
    WHERE t.type = 'table' AND i.origin = 'c'";
const SQLITE_FOREIGN_KEYS: &str = "
    SELECT table_name, group_concat(child, ',') AS columns, parent,
           group_concat(parent_column, ',') AS parent_columns, on_delete
    FROM (
        SELECT t.name AS table_name, k.id, k.\"from\" AS child, k.\"table\" AS parent,
               k.\"to\" AS parent_column, k.on_delete
        FROM sqlite_schema t, pragma_foreign_key_list(t.name) k
        WHERE t.type = 'table'
        ORDER BY t.name, k.id, k.seq
    )
    GROUP BY table_name, id";
const POSTGRESQL_COLUMNS: &str = "
    SELECT table_name::text, column_name::text,
           replace(data_type, ' without time zone', '')::text AS data_type,
           is_nullable = 'YES' AS may_be_null,
           regexp_replace(column_default, '::[a-z ]+$', '')::text AS default_value,
           coalesce((
               SELECT k.place
               FROM pg_index i, unnest(i.indkey) WITH ORDINALITY AS k (number, place)
               WHERE i.indisprimary AND k.number = ordinal_position
                     AND i.indrelid = format('public.%I', table_name)::regclass
           ), 0) AS key_place
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
const POSTGRESQL_FOREIGN_KEYS: &str = "
    SELECT t.relname::text AS table_name,
           (SELECT string_agg(a.attname::text, ',' ORDER BY k.place)
            FROM unnest(c.conkey) WITH ORDINALITY AS k (number, place)
            JOIN pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = k.number) AS columns,
           p.relname::text AS parent,
           (SELECT string_agg(a.attname::text, ',' ORDER BY k.place)
            FROM unnest(c.confkey) WITH ORDINALITY AS k (number, place)
            JOIN pg_attribute a ON a.attrelid = c.confrelid AND a.attnum = k.number
           ) AS parent_columns,
           CASE c.confdeltype WHEN 'a' THEN 'NO ACTION' WHEN 'r' THEN 'RESTRICT'
                WHEN 'c' THEN 'CASCADE' WHEN 'n' THEN 'SET NULL' ELSE 'SET DEFAULT'
           END AS on_delete
    FROM pg_constraint c
    JOIN pg_class t ON t.oid = c.conrelid
    JOIN pg_class p ON p.oid = c.confrelid
    JOIN pg_namespace n ON n.oid = t.relnamespace AND n.nspname = 'public'
    WHERE c.contype = 'f'";

/// Queries for columns, indexes and foreign keys.
type Queries = [&'static str; 3];
const SQLITE: Queries = [SQLITE_COLUMNS, SQLITE_INDEXES, SQLITE_FOREIGN_KEYS];
const POSTGRESQL: Queries = [
    POSTGRESQL_COLUMNS,
    POSTGRESQL_INDEXES,
    POSTGRESQL_FOREIGN_KEYS,
];

macro_rules! schema {
    ($connection:expr, $queries:expr) => {{
        let [columns, indexes, foreign_keys] = $queries;
        Schema {
            columns: (diesel::sql_query(columns)
                .load::<Column>($connection)
                .unwrap())
            .into_iter()
            .map(alike)
            .collect(),
            indexes: (diesel::sql_query(indexes)
                .load::<Index>($connection)
                .unwrap())
            .into_iter()
            .collect(),
            foreign_keys: (diesel::sql_query(foreign_keys)
                .load::<ForeignKey>($connection)
                .unwrap())
            .into_iter()
            .collect(),
        }
    }};
}

/// SQLite row ids are `INTEGER`, which has 64 bits there.
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
fn only_one_of_concurrently_started_processes_migrates() {
    for place in TestDatabase::all() {
        // Each has its own connections, as a process has.
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
fn opening_a_new_file_waits_for_another_process_that_writes_it() {
    let place = TestDatabase::sqlite();
    // A file of SQLite has no write-ahead log until somebody asks for one.
    let mut other = sqlite_connection(&place);
    let are_ready = Barrier::new(2);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let sql = "BEGIN IMMEDIATE; CREATE TABLE numbers (number INTEGER)";
            other.batch_execute(sql).unwrap();
            are_ready.wait();
            // Takes some time, which the other thread spends with the lock against it.
            let sql = "WITH RECURSIVE counted (number) AS
                           (SELECT 1 UNION ALL SELECT number + 1 FROM counted LIMIT 200000)
                       INSERT INTO numbers SELECT number FROM counted;
                       COMMIT";
            other.batch_execute(sql).unwrap();
        });
        are_ready.wait();
        place.migrated();
    });
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
fn both_databases_have_the_same_schema_also_after_down_and_up() {
    let place = TestDatabase::sqlite();
    place.migrated();
    let mut connection = sqlite_connection(&place);
    let source = FileBasedMigrations::from_path(migrations("sqlite")).unwrap();
    let sqlite = schema!(&mut connection, SQLITE);
    assert!(sqlite.columns.len() > 100 && sqlite.indexes.len() > 10);
    assert!(sqlite.foreign_keys.len() > 10, "{sqlite:?}");
    assert!(sqlite.columns.iter().any(|column| column.key_place == 2));
    connection.revert_all_migrations(source.clone()).unwrap();
    let empty = schema!(&mut connection, SQLITE);
    assert_eq!((empty.columns.len(), empty.indexes.len()), (0, 0));
    connection.run_pending_migrations(source).unwrap();
    assert_eq!(schema!(&mut connection, SQLITE), sqlite);

    let place = TestDatabase::postgres();
    place.migrated();
    let mut connection = postgres_connection(&place);
    let source = FileBasedMigrations::from_path(migrations("postgresql")).unwrap();
    assert_eq!(schema!(&mut connection, POSTGRESQL), sqlite);
    connection.revert_all_migrations(source.clone()).unwrap();
    let empty = schema!(&mut connection, POSTGRESQL);
    assert_eq!((empty.columns.len(), empty.indexes.len()), (0, 0));
    connection.run_pending_migrations(source).unwrap();
    assert_eq!(schema!(&mut connection, POSTGRESQL), sqlite);
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

/// SQL that inserts an item of a site.
fn insert_item(org: &OrgId, id: &str, columns: &str, values: &str) -> String {
    format!(
        "INSERT INTO actions (id, org_id, title, description, status, priority, comment_count,
                              created_at, updated_at, {columns})
         VALUES ('{id}', '{org}', 'Something', '', 'open', 1, 0,
                 '2026-11-21 12:00:00', '2026-11-21 12:00:00', {values})"
    )
}

#[test]
fn there_is_one_item_for_each_site_and_check() {
    const COLUMNS: &str = "site_id, check_id, dimension, severity, report_id, affected_pages,
                           found_subject, found_sight, found_at, found_on_all, found_on";
    for place in TestDatabase::all() {
        let database = place.migrated();
        let org = new_org(&database);
        let site = |host| database.start_run(&org, &new_run(host)).unwrap().site_id;
        let (one, other) = (site("one.example"), site("other.example"));
        let of_check = |id: &str, site: &SiteId| {
            let values = format!(
                "'{site}', 'image-alt', 'accessibility', 'serious', 'rep_1', 1,
                 'page', 'static', '2026-11-21 12:00:00', TRUE, ''"
            );
            place.execute(&insert_item(&org, id, COLUMNS, &values))
        };
        of_check("act_1", &one).unwrap();
        of_check("act_2", &other).unwrap();
        let error = of_check("act_3", &one).unwrap_err().to_lowercase();
        assert!(error.contains("unique"), "{error}");
        // People can create any number of items.
        for id in ["act_4", "act_5"] {
            let by_hand = insert_item(&org, id, "site_id", &format!("'{one}'"));
            place.execute(&by_hand).unwrap();
        }
        let half = insert_item(&org, "act_6", "check_id", "'image-alt'");
        let error = place.execute(&half).unwrap_err().to_lowercase();
        assert!(error.contains("check"), "{error}");
    }
}

#[test]
fn deleting_a_site_cascades_to_items_and_their_data() {
    for place in TestDatabase::all() {
        let database = place.migrated();
        let org = new_org(&database);
        let site = database.start_run(&org, &new_run("example.com")).unwrap();
        let item = insert_item(&org, "act_1", "site_id", &format!("'{}'", site.site_id));
        place.execute(&item).unwrap();
        let time = "'2026-11-21 12:00:00'";
        place
            .execute(&format!(
                "INSERT INTO action_comments (id, org_id, action_id, body, author_kind,
                                              author_name, created_at)
                 VALUES ('cmt_1', '{org}', 'act_1', 'Said', 'system', 'Assay', {time});
                 INSERT INTO action_briefs (action_id, org_id, status, generation, queued_at, attempts)
                 VALUES ('act_1', '{org}', 'queued', 1, {time}, 0)"
            ))
            .unwrap();
        place.execute("DELETE FROM sites").unwrap();
        for table in ["actions", "action_comments", "action_briefs"] {
            // Fails if a row is left.
            let none_left = format!("UPDATE {table} SET org_id = NULL");
            place.execute(&none_left).unwrap();
        }
    }
}

#[test]
fn no_item_points_into_another_organization() {
    for place in TestDatabase::all() {
        let database = place.migrated();
        let (one, other) = (new_org(&database), new_org(&database));
        let site = database.start_run(&one, &new_run("example.com")).unwrap();
        place
            .execute(&format!(
                "INSERT INTO members (id, org_id, name, email, role, created_at)
                 VALUES ('mem_1', '{one}', 'Ada', 'ada@example.com', 'read',
                         '2026-11-21 12:00:00')"
            ))
            .unwrap();
        for (column, value) in [("site_id", site.site_id.as_str()), ("assignee_id", "mem_1")] {
            let value = format!("'{value}'");
            let foreign = insert_item(&other, "act_1", column, &value);
            let error = place.execute(&foreign).unwrap_err().to_lowercase();
            assert!(error.contains("foreign key"), "{error}");
            let own = insert_item(&one, &format!("act_{column}"), column, &value);
            place.execute(&own).unwrap();
        }
    }
}

#[test]
fn a_run_that_is_deleted_leaves_no_job_and_its_sites_schedule() {
    for place in TestDatabase::all() {
        let database = place.migrated();
        let org = new_org(&database);
        let run = database.start_run(&org, &new_run("example.com")).unwrap();
        place
            .execute(&format!(
                "INSERT INTO schedules (site_id, org_id, enabled, last_run_id)
                 VALUES ('{}', '{org}', TRUE, '{}')",
                run.site_id, run.run_id
            ))
            .unwrap();
        let last_run = || {
            let schedule = database.schedule(&org, &run.site_id).unwrap().unwrap();
            assert!(schedule.enabled);
            schedule.last_run_id
        };
        assert_eq!(last_run(), Some(run.run_id.clone()));
        place.execute("DELETE FROM runs").unwrap();
        assert_eq!(last_run(), None);
        let worker = WorkerId("a".to_owned());
        let claim = database.claim(&worker, &QueueRules::DEFAULT, after(1));
        assert_eq!(claim, Ok(None));
    }
}

#[test]
fn a_job_that_audits_a_site_has_its_run() {
    for place in TestDatabase::all() {
        let database = place.migrated();
        let org = new_org(&database);
        database.start_run(&org, &new_run("example.com")).unwrap();
        for change in ["run_id = NULL", "subject_id = 'run_other'"] {
            let error = place
                .execute(&format!("UPDATE jobs SET {change}"))
                .unwrap_err();
            assert!(error.to_lowercase().contains("check"), "{error}");
        }
    }
}
