//! A text dump of a database.

use diesel::prelude::*;
use diesel::sql_types::Text;

use crate::Home;

#[derive(QueryableByName)]
struct Line {
    #[diesel(sql_type = Text)]
    line: String,
}

/// The table that the service itself writes every few seconds.
const PROBES: &str = "health_probes";
/// Excludes the jobs that the service itself claims and reschedules.
const WITHOUT_SWEEPS: &str = "WHERE kind <> 'retention'";

/// Dumps all rows except those of [`PROBES`] and [`WITHOUT_SWEEPS`], without the last use of keys, which every request
/// changes.
pub(crate) fn dump(home: &Home) -> String {
    match &home.database {
        Some(database) => {
            let mut connection = PgConnection::establish(database.url()).unwrap();
            all(
                |sql| {
                    let lines: Vec<Line> = diesel::sql_query(sql).load(&mut connection).unwrap();
                    lines.into_iter().map(|line| line.line).collect()
                },
                "SELECT table_name::text AS line FROM information_schema.tables
                 WHERE table_schema = current_schema() ORDER BY 1",
                |table| {
                    format!(
                        "SELECT column_name::text AS line FROM information_schema.columns
                         WHERE table_schema = current_schema() AND table_name = '{table}'
                         ORDER BY ordinal_position"
                    )
                },
            )
        }
        None => {
            let file = home.path("data").join("assay.db");
            let mut connection = SqliteConnection::establish(file.to_str().unwrap()).unwrap();
            all(
                |sql| {
                    let lines: Vec<Line> = diesel::sql_query(sql).load(&mut connection).unwrap();
                    lines.into_iter().map(|line| line.line).collect()
                },
                "SELECT name AS line FROM sqlite_master WHERE type = 'table' ORDER BY 1",
                |table| format!("SELECT name AS line FROM pragma_table_info('{table}')"),
            )
        }
    }
}

fn all(
    mut ask: impl FnMut(String) -> Vec<String>,
    tables: &str,
    columns: impl Fn(&str) -> String,
) -> String {
    let mut text = String::new();
    for table in ask(tables.to_owned()) {
        if table == PROBES {
            continue;
        }
        let columns: Vec<_> = ask(columns(&table))
            .into_iter()
            .filter(|column| (table.as_str(), column.as_str()) != ("api_keys", "last_used_at"))
            .map(|column| format!("coalesce(CAST(\"{column}\" AS TEXT), '-')"))
            .collect();
        let row = columns.join(" || '|' || ");
        text.push_str(&format!("# {table}\n"));
        let rows = if table == "jobs" { WITHOUT_SWEEPS } else { "" };
        for line in ask(format!(
            "SELECT {row} AS line FROM {table} {rows} ORDER BY 1"
        )) {
            text.push_str(&line);
            text.push('\n');
        }
    }
    assert!(
        text.contains("# runs\nrun_"),
        "there is something to compare"
    );
    text
}

/// Makes a key expire.
pub(crate) fn expire(home: &Home, key_id: &str) {
    let sql =
        format!("UPDATE api_keys SET expires_at = '2026-01-01 00:00:00' WHERE id = '{key_id}'");
    let changed = match &home.database {
        Some(database) => {
            let mut connection = PgConnection::establish(database.url()).unwrap();
            diesel::sql_query(sql).execute(&mut connection)
        }
        None => {
            let file = home.path("data").join("assay.db");
            let mut connection = SqliteConnection::establish(file.to_str().unwrap()).unwrap();
            // The service writes to the database as well.
            diesel::sql_query("PRAGMA busy_timeout = 30000")
                .execute(&mut connection)
                .unwrap();
            diesel::sql_query(sql).execute(&mut connection)
        }
    };
    assert_eq!(changed, Ok(1));
}
