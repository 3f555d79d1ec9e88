//! Gathering: what is fetched, and in which form checks see it.

pub mod robots;
