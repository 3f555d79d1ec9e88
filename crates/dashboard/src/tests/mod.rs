//! All pages and forms over the real stores: who may call them, whose things they show, and what they send.

mod actions;
mod browser;
mod credentials;
mod forms;
mod hostile;
mod html;
mod isolation;
mod links;
mod log;
mod open;
mod pages;
mod report_pages;
mod retention;
mod second_factor;
mod sign_in;
mod sites;
mod streams;
mod targets;
mod throttle;
mod world;

pub(crate) use world::settings;
