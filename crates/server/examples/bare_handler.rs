//! The least a server can do to answer `GET /runs/{runId}` from SQLite: actix, `web::block`, a pool of r2d2 and
//! two statements of Diesel, the key by its hash and the run by its id and organization; the run's status is the
//! body. Nothing of the service but the hash of a key. `scripts/bench-runs` compares the service with it.
//!
//! ```text
//! bare_handler sqlite:FILE ADDR:PORT
//! ```

#![allow(
    clippy::print_stderr,
    reason = "a program for developers says what it needs"
)]

use std::process::ExitCode;

use actix_web::http::header::AUTHORIZATION;
use actix_web::{App, HttpRequest, HttpResponse, HttpServer, web};
use diesel::prelude::*;
use diesel::r2d2::{ConnectionManager, Pool};
use domain::key::KeySecret;

use schema::{api_keys, runs};

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// As many as the service opens by default.
const MAX_CONNECTIONS: u32 = 16;

mod schema {
    diesel::table! {
        api_keys (id) {
            id -> Text,
            org_id -> Text,
            hash -> Text,
        }
    }

    diesel::table! {
        runs (id) {
            id -> Text,
            org_id -> Text,
            status -> Text,
        }
    }
}

type Connections = Pool<ConnectionManager<SqliteConnection>>;

async fn run(
    connections: web::Data<Connections>,
    id: web::Path<String>,
    request: HttpRequest,
) -> HttpResponse {
    let key = request
        .headers()
        .get(AUTHORIZATION)
        .and_then(|value| value.to_str().ok())
        .and_then(|value| value.strip_prefix("Bearer "))
        .map(str::to_owned);
    let found = web::block(move || two_look_ups(&connections, key.as_deref(), &id)).await;
    match found {
        Ok(Some(status)) => HttpResponse::Ok().body(status),
        Ok(None) => HttpResponse::NotFound().finish(),
        Err(_) => HttpResponse::InternalServerError().finish(),
    }
}

fn two_look_ups(connections: &Connections, key: Option<&str>, id: &str) -> Option<String> {
    let hash = KeySecret::parse(key?).ok()?.hash();
    let mut connection = connections.get().ok()?;
    let org: String = api_keys::table
        .filter(api_keys::hash.eq(hash.as_str()))
        .select(api_keys::org_id)
        .get_result(&mut connection)
        .ok()?;
    runs::table
        .filter(runs::id.eq(id))
        .filter(runs::org_id.eq(org))
        .select(runs::status)
        .get_result(&mut connection)
        .ok()
}

#[actix_web::main]
async fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let (Some(url), Some(listen)) = (arguments.next(), arguments.next()) else {
        eprintln!("usage: bare_handler sqlite:FILE ADDR:PORT");
        return ExitCode::from(2);
    };
    match serve(&url, &listen).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

async fn serve(url: &str, listen: &str) -> Result<(), Box<dyn std::error::Error>> {
    let file = url.strip_prefix("sqlite:").unwrap_or(url);
    let connections = Pool::builder()
        .max_size(MAX_CONNECTIONS)
        .test_on_check_out(false)
        .build(ConnectionManager::<SqliteConnection>::new(file))?;
    let connections = web::Data::new(connections);
    HttpServer::new(move || {
        App::new()
            .app_data(connections.clone())
            .route("/api/mcp/runs/{id}", web::get().to(run))
    })
    .bind(listen)?
    .run()
    .await?;
    Ok(())
}
