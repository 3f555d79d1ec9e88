//! Passwords, hashed with argon2id (RFC 9106).

use std::fmt;
use std::sync::{Condvar, Mutex, PoisonError};

use argon2::password_hash::phc::PasswordHash;
use argon2::{Algorithm, Argon2, Params, PasswordHasher, PasswordVerifier, Version};
use domain::ports::Passwords;
use zxcvbn::{Score, zxcvbn};

/// Hashes that are computed at once. Each takes `memory_kib`.
const AT_ONCE: usize = 2;

/// What a hash costs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HashCost {
    /// Memory in KiB.
    pub memory_kib: u32,
    /// Passes over the memory.
    pub iterations: u32,
    /// Lanes.
    pub parallelism: u32,
}

impl Default for HashCost {
    /// OWASP's first recommendation for argon2id (Password Storage Cheat Sheet, 2025): 46 MiB, 1 pass, 1 lane.
    fn default() -> Self {
        Self {
            memory_kib: 47_104,
            iterations: 1,
            parallelism: 1,
        }
    }
}

/// Passwords hashed with argon2id, a few at a time.
pub struct Argon2Passwords {
    argon2: Argon2<'static>,
    /// The hash of a password that nobody has, for accounts that do not exist.
    nobody: String,
    free: Mutex<usize>,
    one_is_free: Condvar,
}

/// The cost is outside of argon2's limits.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("argon2 refuses this cost: {0}")]
pub struct InvalidCost(String);

impl Argon2Passwords {
    /// Passwords hashed at this cost. It computes one hash.
    ///
    /// # Errors
    /// When argon2 refuses the cost.
    pub fn new(cost: HashCost) -> Result<Self, InvalidCost> {
        let invalid = |error: &dyn fmt::Display| InvalidCost(error.to_string());
        let params = Params::new(cost.memory_kib, cost.iterations, cost.parallelism, None)
            .map_err(|error| invalid(&error))?;
        let argon2 = Argon2::new(Algorithm::Argon2id, Version::V0x13, params);
        let nobody = argon2
            .hash_password(b"no account has this password")
            .map_err(|error| invalid(&error))?;
        Ok(Self {
            argon2,
            nobody: nobody.to_string(),
            free: Mutex::new(AT_ONCE),
            one_is_free: Condvar::new(),
        })
    }

    /// Waits until fewer than [`AT_ONCE`] hashes are computed.
    fn at_most_a_few<T>(&self, work: impl FnOnce() -> T) -> T {
        let free = self.free.lock().unwrap_or_else(PoisonError::into_inner);
        let mut free = self
            .one_is_free
            .wait_while(free, |free| *free == 0)
            .unwrap_or_else(PoisonError::into_inner);
        *free -= 1;
        drop(free);
        let done = work();
        *self.free.lock().unwrap_or_else(PoisonError::into_inner) += 1;
        self.one_is_free.notify_one();
        done
    }
}

impl Passwords for Argon2Passwords {
    fn hash(&self, password: &str) -> String {
        let hashed = self.at_most_a_few(|| self.argon2.hash_password(password.as_bytes()));
        // Only a system without random numbers fails here. An empty text is the hash of no password.
        hashed.map(|hash| hash.to_string()).unwrap_or_default()
    }

    fn verify(&self, password: &str, hash: Option<&str>) -> bool {
        let known = hash.and_then(|hash| PasswordHash::new(hash).ok());
        let is_known = known.is_some();
        let Some(against) = known.or_else(|| PasswordHash::new(&self.nobody).ok()) else {
            return false;
        };
        let verified =
            self.at_most_a_few(|| self.argon2.verify_password(password.as_bytes(), &against));
        verified.is_ok() && is_known
    }

    fn is_guessable(&self, password: &str, hints: &[&str]) -> bool {
        zxcvbn(password, hints).score() < Score::Three
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cheap() -> Argon2Passwords {
        Argon2Passwords::new(HashCost {
            memory_kib: 8,
            iterations: 1,
            parallelism: 1,
        })
        .unwrap()
    }

    #[test]
    fn a_hash_verifies_its_password_alone() {
        let passwords = cheap();
        let hash = passwords.hash("correct horse battery staple");
        assert!(hash.starts_with("$argon2id$v=19$m=8,t=1,p=1$"), "{hash}");
        assert!(passwords.verify("correct horse battery staple", Some(&hash)));
        assert!(!passwords.verify("correct horse battery stapler", Some(&hash)));
        assert_ne!(hash, passwords.hash("correct horse battery staple"));
    }

    #[test]
    fn nothing_verifies_without_a_hash() {
        let passwords = cheap();
        assert!(!passwords.verify("no account has this password", None));
        assert!(!passwords.verify("", Some("")));
        assert!(!passwords.verify("a", Some("$argon2id$broken")));
    }

    #[test]
    fn guessable_passwords_are_known() {
        let passwords = cheap();
        assert!(passwords.is_guessable("password1234", &[]));
        assert!(passwords.is_guessable("ada@example.com", &["ada@example.com"]));
        assert!(!passwords.is_guessable("otter-plum-rail-42-sundial", &[]));
    }
}
