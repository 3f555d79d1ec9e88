//! Stub.
/// State.
#[derive(Debug, Clone)]
pub enum RobotsState {
    /// Missing.
    Missing,
}
