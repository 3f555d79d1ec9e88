//! The allocator of the program, and the one option that is set for it. Contains the only `unsafe` code of the
//! workspace.

use libmimalloc_sys::{mi_option_set_default, mi_option_t};
use mimalloc::MiMalloc;

#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

/// `mi_option_purge_delay` of mimalloc 2.
const PURGE_DELAY: mi_option_t = 15;

/// Returns free memory to the system immediately, unless `MIMALLOC_PURGE_DELAY` is set. Must be called before a
/// second thread starts.
///
/// By default mimalloc does so after 10 or 100 milliseconds, but checks the clock only when the thread that freed the
/// memory calls the allocator again. An audit that processes large pages one after the other on several threads then
/// holds three times the memory that it uses.
#[expect(
    unsafe_code,
    reason = "a C function without a safe wrapper in any crate"
)]
pub(crate) fn give_back_at_once() {
    // SAFETY: It writes a number into the allocator's option table, after checking that the option is in the table.
    // No other thread reads the table yet.
    unsafe { mi_option_set_default(PURGE_DELAY, 0) }
}

#[cfg(test)]
mod tests {
    use std::env;
    use std::ffi::c_long;
    use std::process::Command;

    use super::*;

    /// Set when the test re-executes itself as a process with a single thread.
    const AGAIN: &str = "MIMALLOC_TEST_AGAIN";
    const TEST: &str =
        "allocator::tests::memory_is_given_back_at_once_unless_the_environment_says_otherwise";

    #[expect(
        unsafe_code,
        reason = "a C function without a safe wrapper in any crate"
    )]
    fn purge_delay() -> c_long {
        // SAFETY: It reads a number of a table that nothing else writes: there is only one thread.
        unsafe { libmimalloc_sys::mi_option_get(PURGE_DELAY) }
    }

    fn again(variables: &[(&str, &str)]) {
        let again = Command::new(env::current_exe().unwrap())
            .args([TEST, "--exact", "--test-threads=1"])
            .env_remove("MIMALLOC_PURGE_DELAY")
            .env(AGAIN, "1")
            .envs(variables.iter().copied())
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&again.stdout);
        assert!(
            again.status.success() && said.contains("1 passed"),
            "{variables:?}: {said}"
        );
    }

    /// The option follows the environment variable, which shows that it is the right option.
    #[test]
    fn memory_is_given_back_at_once_unless_the_environment_says_otherwise() {
        if env::var_os(AGAIN).is_none() {
            again(&[]);
            again(&[("MIMALLOC_PURGE_DELAY", "77")]);
            return;
        }
        give_back_at_once();
        let set = env::var("MIMALLOC_PURGE_DELAY").unwrap_or_else(|_| "0".to_owned());
        assert_eq!(purge_delay().to_string(), set);
    }
}
