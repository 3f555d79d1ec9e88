use std::num::NonZeroU32;

use backup::{PostgresTools, Recipients, list};
use domain::backup::BackupPolicy;
use domain::schedule::CronSchedule;
use object_storage::{FolderStore, StoreUrl};
use testkit::{FixedClock, sample};

use super::*;

/// A task on a database and a store of its own; the folder is removed on drop.
struct Fixture {
    task: BackupTask,
    clock: FixedClock,
    folder: PathBuf,
}

impl Drop for Fixture {
    fn drop(&mut self) {
        drop(std::fs::remove_dir_all(&self.folder));
    }
}

fn fixture(name: &str) -> Fixture {
    let folder = std::env::temp_dir().join(format!("assay-{name}-{}", std::process::id()));
    let clock = FixedClock::new(sample::noon());
    let task = BackupTask {
        database: Database::for_test(),
        store: Arc::new(FolderStore::new(&folder.join("store"))),
        settings: BackupSettings {
            to: StoreUrl::Folder(folder.join("store")),
            policy: BackupPolicy {
                schedule: CronSchedule::new("20 3 * * *", "UTC").unwrap(),
                keep: NonZeroU32::MIN,
                max_age: TimeDelta::hours(30),
            },
            recipients: Recipients::default(),
            tools: PostgresTools::default(),
        },
        work_folder: folder.join("work"),
        worker: WorkerId("p-backup".to_owned()),
        clock: Arc::new(clock.clone()),
        signal: Arc::default(),
    };
    Fixture {
        task,
        clock,
        folder,
    }
}

impl Fixture {
    fn names(&self) -> Vec<String> {
        let stored = list(&*self.task.store).unwrap();
        assert!(stored.iter().all(|backup| backup.is_good), "{stored:?}");
        stored
            .iter()
            .map(|backup| backup.name.to_string())
            .collect()
    }
}

#[test]
fn a_backup_is_made_at_once_and_then_by_the_schedule_and_replaces_the_oldest() {
    let home = fixture("backup-schedule");
    assert_eq!(home.task.step().unwrap(), Next::Continue);
    let first = home.names();
    assert_eq!(first.len(), 1);
    let state = home.task.database.backup_state().unwrap();
    assert_eq!(state.good.map(|good| good.name), first.first().cloned());
    assert!(matches!(home.task.step().unwrap(), Next::Sleep(_)));

    let next = home
        .task
        .settings
        .policy
        .schedule
        .next_after(sample::noon());
    home.clock.set(next.unwrap() - TimeDelta::seconds(1));
    assert_eq!(
        home.task.step().unwrap(),
        Next::Sleep(Duration::from_secs(1))
    );
    assert_eq!(home.names(), first);
    home.clock.set(next.unwrap());
    assert_eq!(home.task.step().unwrap(), Next::Continue);
    let second = home.names();
    assert_eq!(second.len(), 1, "one is kept");
    assert_ne!(second, first);
    // Nothing is left in the work folder.
    assert_eq!(
        std::fs::read_dir(home.folder.join("work")).unwrap().count(),
        0
    );
}

#[test]
fn a_failure_is_recorded_with_its_reason_and_retried_after_a_wait() {
    let home = fixture("backup-failure");
    // A file in place of the folder.
    std::fs::create_dir_all(&home.folder).unwrap();
    std::fs::write(home.folder.join("store"), "").unwrap();
    for failures in 1..=3_u32 {
        assert_eq!(home.task.step().unwrap(), Next::Continue);
        let state = home.task.database.backup_state().unwrap();
        let failure = state.failure.unwrap();
        assert_eq!((failure.count, state.good), (failures, None));
        assert!(failure.reason.contains("store"), "{}", failure.reason);
        assert!(matches!(home.task.step().unwrap(), Next::Sleep(_)));
        home.clock.advance(TimeDelta::minutes(1 << (failures - 1)));
    }
    std::fs::remove_file(home.folder.join("store")).unwrap();
    assert_eq!(home.task.step().unwrap(), Next::Continue);
    let state = home.task.database.backup_state().unwrap();
    assert!(state.good.is_some() && state.failure.is_none());
}

#[test]
fn only_one_process_makes_the_backup() {
    let home = fixture("backup-lease");
    let other = WorkerId("q-backup".to_owned());
    let now = home.clock.now();
    assert!(home.task.database.claim_backup(&other, LEASE, now).unwrap());
    assert_eq!(home.task.step().unwrap(), Next::Sleep(POLL));
    assert_eq!(home.names(), Vec::<String>::new());
    // The other process died: its lease expires.
    home.clock.advance(LEASE);
    assert_eq!(home.task.step().unwrap(), Next::Continue);
    assert_eq!(home.names().len(), 1);
    let lost = home.task.database.renew_backup(&other, LEASE, now).unwrap();
    assert_eq!(lost, LeaseStatus::Lost);
}

#[test]
fn a_stop_interrupts_a_backup_and_is_no_failure() {
    let home = fixture("backup-stop");
    home.task.signal.stop();
    home.task.step().unwrap();
    let state = home.task.database.backup_state().unwrap();
    assert_eq!(state, domain::backup::BackupState::default());
    assert_eq!(home.names(), Vec::<String>::new());
    // The lease was given back.
    let other = WorkerId("q-backup".to_owned());
    let now = home.clock.now();
    assert!(home.task.database.claim_backup(&other, LEASE, now).unwrap());
}
