//! The least a server can do to answer `GET /runs/{runId}`: one route, the key looked up by its hash
//! and the run by its id in one blocking step, the run's status as the body. `scripts/bench-runs`
//! compares the service with it.
//!
//! ```text
//! bare_handler DATABASE_URL ADDR:PORT
//! ```

#![allow(
    clippy::print_stderr,
    reason = "a program for developers says what it needs"
)]

use std::process::ExitCode;

use actix_web::http::header::AUTHORIZATION;
use actix_web::{App, HttpRequest, HttpResponse, HttpServer, web};
use domain::id::RunId;
use domain::key::KeySecret;
use domain::ports::{KeyStore, RunStore, StoreError};
use storage::{Database, DatabaseOptions, DatabaseUrl};

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

async fn run(
    database: web::Data<Database>,
    id: web::Path<String>,
    request: HttpRequest,
) -> HttpResponse {
    let key = request
        .headers()
        .get(AUTHORIZATION)
        .and_then(|value| value.to_str().ok())
        .and_then(|value| value.strip_prefix("Bearer "))
        .map(str::to_owned);
    let found = web::block(move || two_look_ups(&database, key.as_deref(), &id)).await;
    match found {
        Ok(Ok(Some(status))) => HttpResponse::Ok().body(status),
        Ok(Ok(None)) => HttpResponse::NotFound().finish(),
        Ok(Err(_)) | Err(_) => HttpResponse::InternalServerError().finish(),
    }
}

fn two_look_ups(
    database: &Database,
    key: Option<&str>,
    id: &str,
) -> Result<Option<&'static str>, StoreError> {
    let secret = key.and_then(|key| KeySecret::parse(key).ok());
    let (Some(secret), Some(id)) = (secret, RunId::parse(id)) else {
        return Ok(None);
    };
    let Some(found) = database.key_by_hash(&secret.hash())? else {
        return Ok(None);
    };
    let run = database.run(&found.organization.id, &id)?;
    Ok(run.map(|run| run.state.status().as_str()))
}

#[actix_web::main]
async fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let (Some(url), Some(listen)) = (arguments.next(), arguments.next()) else {
        eprintln!("usage: bare_handler DATABASE_URL ADDR:PORT");
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
    let url: DatabaseUrl = url.parse()?;
    let options = DatabaseOptions {
        max_connections: 16,
        ..DatabaseOptions::default()
    };
    let database = web::Data::new(Database::connect(&url, &options)?);
    HttpServer::new(move || {
        App::new()
            .app_data(database.clone())
            .route("/api/mcp/runs/{id}", web::get().to(run))
    })
    .bind(listen)?
    .run()
    .await?;
    Ok(())
}
