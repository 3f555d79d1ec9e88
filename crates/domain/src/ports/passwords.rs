//! Hashing and judging passwords.

/// Hashes and judges passwords. Every call takes tens of milliseconds and some memory, so it belongs where it may
/// block.
pub trait Passwords: Send + Sync {
    /// The hash of a password as a PHC string, with a new salt.
    fn hash(&self, password: &str) -> String;

    /// Whether a password has this hash. With no hash it takes as long and returns false, so that callers cannot tell
    /// by the time whether there is an account.
    fn verify(&self, password: &str, hash: Option<&str>) -> bool;

    /// Whether a program would guess the password quickly; `hints` are words that belong to the person.
    fn is_guessable(&self, password: &str, hints: &[&str]) -> bool;
}
