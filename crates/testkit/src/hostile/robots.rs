//! Invalid or oversized robots.txt files.

use super::{Behaviour, PAUSE, number};
use crate::TestResponse;

/// Redirects before the file.
const REDIRECTS: u64 = 12;

pub(super) fn answer(behaviour: Behaviour, below: &str) -> Option<TestResponse> {
    let path = behaviour.path();
    Some(match behaviour {
        Behaviour::RobotsLarge => {
            let piece = format!(
                "User-agent: *\nDisallow: /robots-large/\n{}",
                "# Nothing but a comment.\n".repeat(4_000)
            );
            let times = 100_000_000_usize.div_ceil(piece.len());
            TestResponse::repeated(piece, times).header("Content-Type", "text/plain")
        }
        Behaviour::RobotsHtml => TestResponse::html(
            "<!doctype html><html lang=\"en\"><title>Welcome</title><p>User-agent: *<br>Disallow: /</p></html>",
        ),
        Behaviour::RobotsUtf16 => TestResponse::new(
            200,
            "\u{feff}User-agent: *\r\nDisallow: /\r\n"
                .encode_utf16()
                .flat_map(u16::to_le_bytes)
                .collect::<Vec<u8>>(),
        )
        .header("Content-Type", "text/plain; charset=utf-16"),
        Behaviour::RobotsBom => {
            TestResponse::text("\u{feff}User-agent: *\nDisallow: /robots-bom/\n")
        }
        Behaviour::RobotsServerError => TestResponse::status(503),
        Behaviour::RobotsForbidden => TestResponse::status(403),
        Behaviour::RobotsRedirects if number(below) >= REDIRECTS => {
            TestResponse::text("User-agent: *\nDisallow: /\n")
        }
        Behaviour::RobotsRedirects => {
            TestResponse::redirect(302, &format!("{path}/{}", number(below).wrapping_add(1)))
        }
        Behaviour::RobotsCircle => TestResponse::redirect(302, &path),
        Behaviour::RobotsSlow => TestResponse::drip(
            "User-agent: *\nDisallow: /robots-slow/\n".repeat(100_000),
            PAUSE,
        ),
        Behaviour::RobotsNoAnswer => TestResponse::hang(),
        _ => return None,
    })
}
