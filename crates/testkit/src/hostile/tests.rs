use std::collections::HashSet;
use std::io::{Read, Write};
use std::net::TcpStream;

use super::{Behaviour, HostileServer, Kind};

/// The first bytes of the response to a GET; fewer if the connection ends before.
fn beginning(server: &HostileServer, path: &str) -> Vec<u8> {
    let mut stream = TcpStream::connect(server.address()).unwrap();
    let request = format!("GET {path} HTTP/1.1\r\nHost: {}\r\n\r\n", server.target());
    stream.write_all(request.as_bytes()).unwrap();
    let mut bytes = Vec::new();
    let _ = stream.take(12).read_to_end(&mut bytes);
    bytes
}

#[test]
fn every_behaviour_has_a_name_and_a_path_of_its_own() {
    let names: HashSet<_> = Behaviour::ALL.iter().map(|b| b.name()).collect();
    assert_eq!(names.len(), Behaviour::ALL.len());
    for behaviour in Behaviour::ALL {
        let path = format!("{}/below/5", behaviour.path());
        assert_eq!(Behaviour::of_path(&path), Some((*behaviour, "/below/5")));
    }
    assert_eq!(Behaviour::of_path("/nothing"), None);
}

#[test]
fn every_behaviour_responds_at_its_path_and_is_counted() {
    let server = HostileServer::start(&[]).unwrap();
    for behaviour in Behaviour::ALL {
        if matches!(behaviour, Behaviour::NoAnswer | Behaviour::RobotsNoAnswer) {
            continue;
        }
        let answer = beginning(&server, &behaviour.path());
        assert_eq!(server.hits(*behaviour), 1, "{behaviour:?}");
        let silent = matches!(behaviour, Behaviour::Closed | Behaviour::Reset);
        assert_eq!(answer.is_empty(), silent, "{behaviour:?}");
        assert!(
            !answer.ends_with(b" 404"),
            "{behaviour:?} is not implemented"
        );
    }
}

#[test]
fn the_site_is_made_of_the_behaviours_it_was_started_with() {
    let server = HostileServer::start(&[Behaviour::Calendar, Behaviour::SitemapCircle]).unwrap();
    let whole = |path: &str| {
        let mut stream = TcpStream::connect(server.address()).unwrap();
        let request = format!("GET {path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
        stream.write_all(request.as_bytes()).unwrap();
        stream.shutdown(std::net::Shutdown::Write).unwrap();
        let mut text = String::new();
        stream.read_to_string(&mut text).unwrap();
        text
    };
    assert!(whole("/").contains("href=\"/calendar\""));
    assert!(whole("/robots.txt").contains("Sitemap: http://a/sitemap-circle\n"));
    assert!(whole("/sitemap-circle").contains("<loc>http://a/sitemap-circle</loc>"));
}

#[test]
fn a_robots_behaviour_is_the_robots_txt() {
    let server = HostileServer::start(&[Behaviour::RobotsServerError]).unwrap();
    assert_eq!(beginning(&server, "/robots.txt"), b"HTTP/1.1 503");
    assert_eq!(server.hits(Behaviour::RobotsServerError), 1);
    assert_eq!(Behaviour::RobotsServerError.kind(), Kind::Robots);
}
