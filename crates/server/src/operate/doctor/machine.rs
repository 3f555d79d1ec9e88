//! Checks of the machine: disk space, open files, the clock.

use std::path::{Path, PathBuf};

use chrono::Datelike;
use domain::ports::Clock;
use rustix::process::{Resource, getrlimit};
use storage::DatabaseUrl;

use super::Finding;
use crate::config::Service;
use crate::sources::SystemClock;

const MIB: u64 = 1_048_576;
/// Free space below which the service will soon return 503: a problem.
const LEAST_FREE: u64 = 100 * MIB;
/// Free space below which the operator should act: a warning.
const LITTLE_FREE: u64 = 1_024 * MIB;
/// Open files that the service needs in addition to the connections of callers and to sites.
const OWN_FILES: u64 = 256;
/// The plausible years of a right clock.
const YEARS: std::ops::RangeInclusive<i32> = 2025..=2100;

/// Disk space of the database, or of the data folder.
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
                "check that the folder is accessible",
            );
        }
    };
    let message = format!("{} MiB free at {}", room / MIB, folder.display());
    const REMEDY: &str = "free disk space, or shorten the retention periods in [retention]";
    if room < LEAST_FREE {
        Finding::problem(CHECK, message, REMEDY)
    } else if room < LITTLE_FREE {
        Finding::warning(CHECK, message, REMEDY)
    } else {
        Finding::fine(CHECK, message)
    }
}

/// The closest existing ancestor folder of a path.
fn nearest_folder(place: &Path) -> PathBuf {
    let there = place.ancestors().find(|folder| folder.is_dir());
    match there {
        Some(folder) if folder != Path::new("") => folder.to_owned(),
        _ => PathBuf::from("."),
    }
}

/// The limit of open files and sockets. Each caller uses one, and each connection to a site.
pub(super) fn open_files(service: &Service) -> Finding {
    const CHECK: &str = "open_files";
    let runs = u64::try_from(service.concurrent_runs).unwrap_or(u64::MAX);
    let wanted = OWN_FILES
        .saturating_add(runs.saturating_mul(32))
        .saturating_add(service.max_connections.into())
        .max(1_024);
    match getrlimit(Resource::Nofile).current {
        None => Finding::fine(CHECK, "no limit"),
        Some(most) if most >= wanted => Finding::fine(CHECK, format!("limit {most}")),
        Some(most) => Finding::warning(
            CHECK,
            format!("limit {most}, but the service may need {wanted}"),
            "raise the limit: `ulimit -n 65536`, or LimitNOFILE=65536 in the systemd unit",
        ),
    }
}

/// Leases, schedules, links and certificates depend on the clock.
pub(super) fn clock() -> Finding {
    const CHECK: &str = "clock";
    let now = SystemClock.now();
    let shown = now.format("%Y-%m-%dT%H:%M:%SZ").to_string();
    if YEARS.contains(&now.year()) {
        Finding::fine(CHECK, shown)
    } else {
        Finding::problem(
            CHECK,
            format!("the clock shows {shown}"),
            "set the clock (NTP): leases, links and certificates depend on it",
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_path_is_in_the_nearest_existing_folder() {
        let folder = std::env::temp_dir();
        let place = folder.join("assay-not-there/deep/assay.db");
        assert_eq!(nearest_folder(&place), folder);
        assert_eq!(nearest_folder(Path::new("assay.db")), Path::new("."));
    }
}
