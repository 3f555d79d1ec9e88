//! Whether an address belongs to this machine.

use std::net::{IpAddr, UdpSocket};

/// Whether any network interface of this machine has the address. Nothing is sent: only its own addresses can
/// be bound. An IPv4-mapped IPv6 address is treated as its IPv4 address, which also works on machines without
/// IPv6.
pub(super) fn is_of_this_machine(address: IpAddr) -> bool {
    #[expect(
        clippy::disallowed_methods,
        reason = "a socket that is bound and dropped sends nothing"
    )]
    let bound = UdpSocket::bind((address.to_canonical(), 0));
    bound.is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn loopback_is_own_and_documentation_addresses_are_not() {
        assert!(is_of_this_machine(IpAddr::from([127, 0, 0, 1])));
        assert!(!is_of_this_machine(IpAddr::from([192, 0, 2, 1])));
        assert!(!is_of_this_machine("2001:db8::1".parse().unwrap()));
    }

    #[test]
    fn mapped_and_unspecified_addresses_belong_to_this_machine() {
        for text in ["::ffff:127.3.2.1", "0.0.0.0", "::ffff:0.0.0.0"] {
            assert!(is_of_this_machine(text.parse().unwrap()), "{text}");
        }
        assert!(!is_of_this_machine("::ffff:192.0.2.1".parse().unwrap()));
    }
}
