//! Serves a large site on loopback until it is stopped:
//! `cargo run --release -p testkit --example large_site -- --pages 10000 --seed 1 --port 8099`.
//!
//! `--defects all` (default), `linked` (every page is reachable by links) or `none`; `--gzip` sends compressed
//! pages to clients that accept them; `--manifest` prints how many pages each check must find and exits.

#![allow(clippy::print_stdout, reason = "an example shows what it does")]

use testkit::large_site::{Defect, LargeSite, LargeSiteServer, ServeOptions};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (mut pages, mut seed, mut manifest) = (10_000, 1, false);
    let mut options = ServeOptions::default();
    let mut defects: &[Defect] = &Defect::ALL;
    let mut arguments = std::env::args().skip(1);
    while let Some(name) = arguments.next() {
        if name == "--manifest" {
            manifest = true;
            continue;
        }
        if name == "--gzip" {
            options.gzip = true;
            continue;
        }
        let value = arguments.next().ok_or("an option without a value")?;
        match name.as_str() {
            "--pages" => pages = value.parse()?,
            "--seed" => seed = value.parse()?,
            "--port" => options.port = value.parse()?,
            "--defects" => {
                defects = match value.as_str() {
                    "all" => &Defect::ALL,
                    "linked" => &Defect::LINKED,
                    "none" => &[],
                    _ => return Err("--defects is all, linked or none".into()),
                }
            }
            _ => return Err(format!("unknown option {name}").into()),
        }
    }
    if manifest {
        print!("{}", LargeSite::new(pages, seed, "", defects).manifest());
        return Ok(());
    }
    let server = LargeSiteServer::bind(options)?;
    let site = LargeSite::new(pages, seed, &server.origin(), defects);
    println!(
        "{} pages at {}/, {} within reach of links",
        site.pages(),
        server.origin(),
        site.linked_pages()
    );
    server.serve(&site);
    Ok(())
}
