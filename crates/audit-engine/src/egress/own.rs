//! Whether an address is this machine's own.

use std::net::{IpAddr, UdpSocket};

/// Whether this machine has the address, on whichever of its interfaces. Nothing is sent: only its own
/// addresses can be bound.
pub(super) fn is_of_this_machine(address: IpAddr) -> bool {
    #[expect(
        clippy::disallowed_methods,
        reason = "a socket that is bound and dropped reaches nobody"
    )]
    let bound = UdpSocket::bind((address, 0));
    bound.is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn loopback_is_and_documentation_is_not() {
        assert!(is_of_this_machine(IpAddr::from([127, 0, 0, 1])));
        assert!(!is_of_this_machine(IpAddr::from([192, 0, 2, 1])));
        assert!(!is_of_this_machine("2001:db8::1".parse().unwrap()));
    }
}
