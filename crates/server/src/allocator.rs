//! The allocator of the program, and the one thing about it that is set here. The only `unsafe` code of the
//! workspace.

use libmimalloc_sys::{mi_option_set_default, mi_option_t};
use mimalloc::MiMalloc;

#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

/// `mi_option_purge_delay` of mimalloc 2.
const PURGE_DELAY: mi_option_t = 15;

/// Has free memory given back to the system at once, unless `MIMALLOC_PURGE_DELAY` says otherwise. To be called
/// before there is a second thread.
///
/// By itself mimalloc does so after ten milliseconds or a hundred, but looks at the clock only when the thread that
/// freed the memory comes by again. An audit that meets large pages one after the other on several threads then
/// holds three times what it uses.
#[expect(
    unsafe_code,
    reason = "a function of C, for which no crate has a safe one"
)]
pub(crate) fn give_back_at_once() {
    // SAFETY: It writes a number into a table of the allocator's own, if the option is one of the table, which
    // it checks itself. No other thread reads the table yet.
    unsafe { mi_option_set_default(PURGE_DELAY, 0) }
}

#[cfg(test)]
mod tests {
    use std::env;
    use std::ffi::c_long;
    use std::process::Command;

    use super::*;

    /// Set where the test is run again, by itself and on the only thread.
    const AGAIN: &str = "MIMALLOC_TEST_AGAIN";
    const TEST: &str =
        "allocator::tests::memory_is_given_back_at_once_unless_the_environment_says_otherwise";

    #[expect(
        unsafe_code,
        reason = "a function of C, for which no crate has a safe one"
    )]
    fn purge_delay() -> c_long {
        // SAFETY: It reads a number of a table, to which nobody else writes: there is one thread.
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

    /// A number that the environment sets shows that the option is the right one.
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
