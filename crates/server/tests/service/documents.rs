//! The PDF, downloaded with a signed link and without a key.

use rstest::rstest;

use crate::{Home, Kind, site};

/// The path and query of a link to this service.
fn path_of(link: &str) -> &str {
    let (_, rest) = link.split_once("://").unwrap();
    rest.split_at(rest.find('/').unwrap()).1
}

#[rstest]
#[case::sqlite(Kind::Sqlite)]
#[case::postgresql(Kind::Postgresql)]
fn the_pdf_is_fetched_with_a_link_and_without_a_key(#[case] kind: Kind) {
    let home = Home::new(kind);
    let service = home.serve(&["--allow-target", "127.0.0.1"]);
    let client = service.client();
    let site = site();
    let report = client.report_on(site.url("/").as_str());
    let path = format!("/api/mcp/reports/{}", report["reportId"].as_str().unwrap());
    let link = client.get(&format!("{path}?format=pdf_url")).body;
    let link = path_of(link["url"].as_str().unwrap()).to_owned();
    let (head, pdf) = client.bytes("GET", &link);
    assert!(head.starts_with("HTTP/1.1 200"), "{head}");
    let head = head.to_lowercase();
    assert!(head.contains("content-type: application/pdf"), "{head}");
    assert!(head.contains("filename=\"assay-127.0.0.1"), "{head}");
    assert!(pdf.starts_with(b"%PDF-") && pdf.trim_ascii_end().ends_with(b"%%EOF"));
    // PDF/UA-1 is declared in the metadata, which is not compressed.
    let text = String::from_utf8_lossy(&pdf);
    assert!(text.contains("pdfuaid"), "the document is tagged");
    // The PDF does not contain the key of the client that requested the link.
    assert!(!text.contains(&service.key()));
    let (again, nothing) = client.bytes("HEAD", &link);
    assert!(
        again
            .to_lowercase()
            .contains(&format!("content-length: {}", pdf.len()))
    );
    assert!(nothing.is_empty());
    let altered = link.replace("sig=", "sig=0");
    assert_eq!(
        client.raw("GET", &altered, &[], b"").body["code"],
        "link_invalid"
    );
}

#[test]
fn a_link_of_one_process_opens_at_another() {
    let home = Home::new(Kind::Postgresql);
    let one = home.serve(&["--allow-target", "127.0.0.1"]);
    let site = site();
    let report = one.client().report_on(site.url("/").as_str());
    let path = format!("/api/mcp/reports/{}", report["reportId"].as_str().unwrap());
    let link = one.client().get(&format!("{path}?format=pdf_url")).body;
    let link = path_of(link["url"].as_str().unwrap()).to_owned();
    let key = one.key();
    let other = home.serve(&[]);
    let at_other = crate::Client::new(&other.address, &key);
    let (head, _) = at_other.bytes("GET", &link);
    assert!(head.starts_with("HTTP/1.1 200"), "{head}");
}
