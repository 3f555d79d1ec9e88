//! The machine: room on the disk, open files, the clock.

use std::path::{Path, PathBuf};

use chrono::Datelike;
use domain::ports::Clock;
use rustix::process::{Resource, getrlimit};
use storage::DatabaseUrl;

use super::Finding;
use crate::config::Service;
use crate::sources::SystemClock;

const MIB: u64 = 1_048_576;
/// Free room below which the service soon answers 503.
const LEAST_FREE: u64 = 100 * MIB;
/// Free room below which somebody should look.
const LITTLE_FREE: u64 = 1_024 * MIB;
/// Open files that the service needs beside those of its callers and of the sites it visits.
const OWN_FILES: u64 = 256;
/// Years in which this version is used.
const YEARS: std::ops::RangeInclusive<i32> = 2025..=2100;

/// Room where the database is, or the data folder.
pub(super) fn disk(service: &Service) -> Finding {
    const CHECK: &str = "disk";
    let place = match &service.database {
        DatabaseUrl::Sqlite(file) => file.clone(),
        DatabaseUrl::Postgres(_) => service.data_dir.clone(),
    };
    let folder = nearest_folder(&place);
    let room = match rustix::fs::statvfs(&folder) {
        Ok(room) => room.f_frsize.saturating_mul(room.f_bavail),
        Err(error) => {
            return Finding::warning(
                CHECK,
                format!("{}: {error}", folder.display()),
                "look whether the folder can be used",
            );
        }
    };
    let message = format!("{} MiB free at {}", room / MIB, folder.display());
    const REMEDY: &str = "make room, or keep less: [retention] says how long reports are kept";
    if room < LEAST_FREE {
        Finding::problem(CHECK, message, REMEDY)
    } else if room < LITTLE_FREE {
        Finding::warning(CHECK, message, REMEDY)
    } else {
        Finding::fine(CHECK, message)
    }
}

/// The folder that something is, or will be, in.
fn nearest_folder(place: &Path) -> PathBuf {
    let there = place.ancestors().find(|folder| folder.is_dir());
    match there {
        Some(folder) if folder != Path::new("") => folder.to_owned(),
        _ => PathBuf::from("."),
    }
}

/// How many files and sockets may be open. Each caller has one, each connection to a site one.
pub(super) fn open_files(service: &Service) -> Finding {
    const CHECK: &str = "open_files";
    let runs = u64::try_from(service.concurrent_runs).unwrap_or(u64::MAX);
    let wanted = OWN_FILES
        .saturating_add(runs.saturating_mul(32))
        .saturating_add(service.max_connections.into())
        .max(1_024);
    match getrlimit(Resource::Nofile).current {
        None => Finding::fine(CHECK, "as many as the system has"),
        Some(most) if most >= wanted => Finding::fine(CHECK, format!("{most} at most")),
        Some(most) => Finding::warning(
            CHECK,
            format!("{most} at most, and {wanted} may be needed"),
            "raise the limit: `ulimit -n 65536`, or LimitNOFILE=65536 in the unit of systemd",
        ),
    }
}

/// Leases, schedules, links and certificates depend on the time.
pub(super) fn clock() -> Finding {
    const CHECK: &str = "clock";
    let now = SystemClock.now();
    let shown = now.format("%Y-%m-%dT%H:%M:%SZ").to_string();
    if YEARS.contains(&now.year()) {
        Finding::fine(CHECK, shown)
    } else {
        Finding::problem(
            CHECK,
            format!("it says {shown}"),
            "set the clock (NTP): leases, links and certificates depend on it",
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_that_is_not_there_yet_is_in_the_nearest_folder() {
        let folder = std::env::temp_dir();
        let place = folder.join("assay-not-there/deep/assay.db");
        assert_eq!(nearest_folder(&place), folder);
        assert_eq!(nearest_folder(Path::new("assay.db")), Path::new("."));
    }
}
