//! Which targets may be visited.
//!
//! Two gates stand before every fetch. The URL gate ([`gate_url`], [`gate_parsed_url`]) judges what
//! can be known without asking the network: scheme, length, user information, host and port. The
//! address gate ([`gate_address`]) judges each address that a name resolved to. Both are pure: they
//! open no socket and ask no resolver, so the service and the engine share one set of rules.
//!
//! An operator lifts the gates for targets of their own with [`AllowTargets`]. A local audit also lifts them for the
//! host and port that a person typed ([`allow_typed`]). Nothing else does.
//!
//! ```
//! use domain::target::{AllowTargets, gate_url};
//!
//! let nothing_listed = AllowTargets::default();
//! assert!(gate_url("https://example.com/", &nothing_listed).is_ok());
//!
//! let refused = gate_url("http://0x7f.1:8080/", &nothing_listed).unwrap_err();
//! assert_eq!(refused.allow_flag().as_deref(), Some("--allow-target 127.0.0.1:8080"));
//! ```

mod address;
mod allow;
mod error;
mod gate;
mod landing;
mod name;
mod typed;

pub use address::{AddressKind, gate_address};
pub use allow::{AllowTarget, AllowTargetError, AllowTargets};
pub use error::{InvalidTarget, RefusedTarget, TargetError};
pub use gate::{DEFAULT_PORTS, MAX_URL_BYTES, gate_parsed_url, gate_url};
pub use landing::{is_loopback_origin, same_landing};
pub use name::NameKind;
pub use typed::{allow_typed, complete_url};
