//! Links that were altered, each in one way: a table, and how many of them are served.

use std::sync::Arc;

use actix_web::http::Uri;
use api::ApiState;
use chrono::TimeDelta;
use domain::id::OrgId;
use domain::link::{ReportLink, Signature};
use domain::ports::UrlSigner;
use testkit::SampleSigner;

use super::{link, signed, uses};
use crate::world::{Client, Fixture, unused_id};

/// What a byte is replaced by, or what is put before it.
const BYTES: [char; 10] = ['0', '1', 'a', 'f', 'F', 'z', '&', '=', '%', '+'];

/// Every link that differs from this one in one byte of the id or the query, by replacing,
/// removing, repeating or inserting it.
fn by_bytes(link: &str) -> Vec<String> {
    let (path, query) = link.split_once('?').unwrap();
    let id = path.strip_prefix("/dl/reports/").unwrap();
    let id = id.strip_suffix(".pdf").unwrap();
    let mut links = Vec::new();
    for other in one_byte_off(query) {
        links.push(format!("{path}?{other}"));
    }
    for other in one_byte_off(id) {
        links.push(format!("/dl/reports/{other}.pdf?{query}"));
    }
    links
}

fn one_byte_off(text: &str) -> Vec<String> {
    assert!(text.is_ascii());
    let mut texts = Vec::new();
    for place in 0..text.len() {
        let (before, rest) = text.split_at(place);
        let (byte, after) = rest.split_at(1);
        texts.push(format!("{before}{after}"));
        texts.push(format!("{before}{byte}{byte}{after}"));
        for other in BYTES {
            texts.push(format!("{before}{other}{after}"));
            texts.push(format!("{before}{other}{rest}"));
        }
        let encoded = format!("%{:02x}", byte.as_bytes()[0]);
        texts.push(format!("{before}{encoded}{after}"));
    }
    texts.extend(BYTES.map(|other| format!("{text}{other}")));
    texts
}

/// The parameters of a link.
fn parameters(link: &str) -> Vec<&str> {
    link.split_once('?').unwrap().1.split('&').collect()
}

/// The link with each of its parameters, and each two of them, from another one; and with its path
/// from there.
fn swapped(link: &str, other: &str) -> Vec<String> {
    let (path, query) = link.split_once('?').unwrap();
    let (own, others) = (parameters(link), parameters(other));
    let mut links = vec![
        format!("{}?{query}", other.split_once('?').unwrap().0),
        format!("{path}?{}", others.join("&")),
    ];
    for choice in 1..7_usize {
        let mixed: Vec<_> = (0..3)
            .map(|place| {
                if choice >> place & 1 == 1 {
                    others[place]
                } else {
                    own[place]
                }
            })
            .collect();
        links.push(format!("{path}?{}", mixed.join("&")));
    }
    links
}

/// The link with more, fewer or other parameters.
fn reshaped(link: &str) -> Vec<String> {
    let (path, query) = link.split_once('?').unwrap();
    let own = parameters(link);
    let mut links = vec![
        path.to_owned(),
        format!("{path}?"),
        format!("{link}&"),
        format!("{path}?&{query}"),
        format!("{link}&x=1"),
        format!("{link}&download"),
        format!("{link}%00"),
        format!("{path}?{}", query.replace('&', ";")),
        format!("{path}?{}", query.replace('&', "%26")),
        format!("{path}?{}", query.to_uppercase()),
        link.replace("exp=", "exp=0"),
        link.replace("exp=", "exp=+"),
        link.replace("exp=", "exp=%20"),
        link.replace("exp=", "exp=-"),
        link.replace("&kid=", ".0&kid="),
        link.replace("sig=", "sig=0x"),
    ];
    for place in 0..own.len() {
        let mut fewer = own.clone();
        fewer.remove(place);
        links.push(format!("{path}?{}", fewer.join("&")));
        links.push(format!("{link}&{}", own[place]));
        let name = own[place].split_once('=').unwrap().0;
        let emptied = query.replace(own[place], &format!("{name}="));
        links.push(format!("{path}?{emptied}"));
        links.push(format!("{path}?{}", query.replace(own[place], name)));
        links.push(format!("{path}?{emptied}&{}", own[place]));
    }
    links
}

/// The link with a time close to its own.
fn retimed(link: &str) -> Vec<String> {
    let exp = parameters(link)[0].strip_prefix("exp=").unwrap();
    let time: i64 = exp.parse().unwrap();
    let others = [time - 1, time + 1, time + 300, 0, i64::MAX, i64::MIN];
    let others = others.map(|other| link.replace(exp, &other.to_string()));
    others.to_vec()
}

/// Sends every altered link, and answers how many there were and how many were served. Each other one is a problem that says
/// no more than that the link does not work.
async fn served(world: &Fixture, state: &ApiState) -> (usize, usize) {
    let own = world.completed(&world.acme, "https://example.com/").report;
    let second = world.completed(&world.acme, "https://example.com/").report;
    let foreign = world.completed(&world.rival, "https://example.com/").report;
    let unaltered = link(world, &own).await;
    world.clock.advance(TimeDelta::seconds(7));
    let of_second = link(world, &second).await;
    let of_foreign = signed(&world.rival, &foreign, &SampleSigner);
    let mut links = by_bytes(&unaltered);
    links.extend(reshaped(&unaltered));
    links.extend(retimed(&unaltered));
    for other in [&of_second, &of_foreign] {
        links.extend(swapped(&unaltered, other));
        links.extend(swapped(other, &unaltered));
    }
    // Rightly signed, for somebody whose report it is not: also for nobody, whose reports are none.
    let nobody = OrgId::parse("org_00000000000000000000000000").unwrap();
    let never = domain::id::ReportId::parse(&unused_id("rep")).unwrap();
    links.push(signed(&world.rival, &own, &SampleSigner));
    links.push(signed(&world.acme, &foreign, &SampleSigner));
    links.push(signed(&world.acme, &never, &SampleSigner));
    links.push(signed(&nobody, &never, &SampleSigner));
    let whole = [&unaltered, &of_second, &of_foreign];
    links.retain(|link| !whole.contains(&link) && link.parse::<Uri>().is_ok());
    links.sort_unstable();
    links.dedup();
    assert!(links.len() > 2_000, "{}", links.len());
    let client = Client::new(state).await;
    let (sent, mut served) = (links.len(), 0);
    for altered in links {
        let reply = client.get("", &altered).await;
        if reply.status < 400 {
            served += 1;
        } else {
            assert_eq!(reply.status, 403, "{altered}: {}", reply.text());
            let code = reply.code();
            assert!(["link_invalid", "link_expired"].contains(&code.as_str()));
        }
    }
    for link in whole {
        assert_eq!(client.get("", link).await.status, 200, "{link}");
    }
    (sent, served)
}

#[actix_web::test]
async fn none_is_served() {
    let world = Fixture::new();
    let (sent, served) = served(&world, &world.state()).await;
    println!("links: {sent} altered links sent, {served} served");
    assert_eq!(served, 0);
    let uses = uses(&world, &world.acme) + uses(&world, &world.rival);
    assert_eq!(uses, 3, "the unaltered ones alone");
}

/// Accepts whatever it is shown.
struct Careless;

impl UrlSigner for Careless {
    fn sign(&self, link: &ReportLink) -> Signature {
        SampleSigner.sign(link)
    }

    fn is_signed(&self, _link: &ReportLink, _signature: &Signature) -> bool {
        true
    }
}

/// The twin of the test above: without the signature the table fails, so it would be noticed.
#[actix_web::test]
async fn without_the_signature_many_are() {
    let world = Fixture::new();
    let state = ApiState {
        signer: Arc::new(Careless),
        ..world.state()
    };
    let (sent, served) = served(&world, &state).await;
    println!("links, twin that accepts every signature: {sent} sent, {served} served");
    assert!(served > 300, "{served}");
}
