//! Measures the parser and every page check on documents that are built to cost time:
//! `cargo run --release -p audit-engine --example hostile_pages`.
//!
//! Prints everything that takes 20 ms or more, and its growth from a quarter of the document to the
//! whole: about 4 is linear, about 16 quadratic.

#![allow(clippy::print_stdout, reason = "an example shows what it does")]

use std::fmt::Write;
use std::time::{Duration, Instant};

use audit_engine::check::{Check, Need};
use audit_engine::checks::catalogue;
use audit_engine::view::Page;

/// Shorter times are not reported.
const LEAST: Duration = Duration::from_millis(20);

fn main() {
    let only = std::env::args().nth(1);
    for (name, make) in documents() {
        if only.as_deref().is_some_and(|only| only != name) {
            continue;
        }
        let small = time(&make(1));
        let large = time(&make(4));
        let all: Duration = large.iter().map(|(_, took)| *took).sum();
        println!("{name}: {} ms in all", all.as_millis());
        for ((what, took), (_, before)) in large.iter().zip(&small) {
            if *took >= LEAST {
                let growth = took.as_secs_f64() / before.as_secs_f64().max(1e-6);
                println!("  {what}: {} ms, grew {growth:.1}-fold", took.as_millis());
            }
        }
    }
}

fn time(html: &str) -> Vec<(&'static str, Duration)> {
    let mut times = Vec::new();
    let begun = Instant::now();
    let page = Page::builder().html(html);
    times.push(("(parsed)", begun.elapsed()));
    let checks: Vec<&'static Check> = catalogue();
    for check in checks {
        if check.needs(Need::Browser) {
            continue;
        }
        let begun = Instant::now();
        if let Some(outcome) = check.evaluate_page(&page) {
            drop(outcome);
            times.push((check.id, begun.elapsed()));
        }
    }
    let begun = Instant::now();
    drop(page);
    times.push(("(dropped)", begun.elapsed()));
    times
}

/// A name, and a function that builds the document from a number of quarters.
type Made = (&'static str, fn(usize) -> String);

fn documents() -> Vec<Made> {
    vec![
        ("nested-elements", |n| page(&"<div>".repeat(25_000 * n))),
        ("nested-spans", |n| page(&"<span>".repeat(25_000 * n))),
        ("nested-lists", |n| page(&"<ul><li>".repeat(10_000 * n))),
        ("nested-tables", |n| {
            page(&"<table><tr><td>".repeat(5_000 * n))
        }),
        ("misnested", |n| {
            numbered(5_000 * n, |out, i| write!(out, "<b id=b{i}><p>x"))
        }),
        ("misnested-links", |n| {
            numbered(5_000 * n, |out, i| write!(out, "<a href=/{i}><div>x"))
        }),
        ("links", |n| {
            numbered(12_500 * n, |out, i| {
                write!(out, "<a href=/l/{i}>Link {i}</a> ")
            })
        }),
        ("links-same-text", |n| {
            numbered(12_500 * n, |out, i| write!(out, "<a href=/l/{i}>here</a> "))
        }),
        ("links-same-target", |n| {
            numbered(12_500 * n, |out, _| write!(out, "<a href=/l>here</a> "))
        }),
        ("fragment-links", |n| {
            numbered(12_500 * n, |out, i| {
                write!(out, "<a href=#f{i}>Skip {i}</a> ")
            })
        }),
        ("text", |n| {
            page(&format!(
                "<p>{}</p>",
                "Some words of a text, one after the other. ".repeat(61_000 * n)
            ))
        }),
        ("one-word", |n| {
            page(&format!("<p>{}</p>", "x".repeat(2_500_000 * n)))
        }),
        ("spaces", |n| {
            page(&format!("<p>{}</p>", " ".repeat(2_500_000 * n)))
        }),
        ("paragraphs", |n| {
            page(&"<p>Some words.</p>".repeat(40_000 * n))
        }),
        ("attribute", |n| {
            page(&format!(
                "<p title=\"{}\">x</p>",
                "words ".repeat(400_000 * n)
            ))
        }),
        ("class-attribute", |n| {
            page(&format!(
                "<p class=\"{}\">x</p>",
                "words ".repeat(400_000 * n)
            ))
        }),
        ("aria-ids-attribute", |n| {
            numbered(1, |out, _| {
                write!(
                    out,
                    "<p id=a>x</p><button aria-labelledby=\"{}\">x</button>",
                    "a ".repeat(250_000 * n)
                )
            })
        }),
        ("labelledby-everywhere", |n| {
            let ids: String = (0..500 * n).map(|i| format!("i{i} ")).collect();
            numbered(500 * n, |out, i| {
                write!(out, "<button id=i{i} aria-labelledby=\"{ids}\">x</button>")
            })
        }),
        ("labelledby-same-large", |n| {
            let text = "word ".repeat(50_000);
            let mut body = format!("<div id=large>{text}</div>");
            for _ in 0..500 * n {
                body.push_str("<a href=/ aria-labelledby=large>x</a>");
            }
            page(&body)
        }),
        ("srcset-attribute", |n| {
            page(&format!(
                "<img src=/a srcset=\"{}\" alt=x>",
                "/a.png 1x, ".repeat(200_000 * n)
            ))
        }),
        ("attributes", |n| {
            let mut body = String::from("<p");
            for i in 0..250_000 * n {
                let _ = write!(body, " a{i}");
            }
            page(&format!("{body}>x</p>"))
        }),
        ("duplicate-attributes", |n| {
            page(&format!("<p{}>x</p>", " a=1".repeat(250_000 * n)))
        }),
        ("ids", |n| {
            numbered(25_000 * n, |out, i| write!(out, "<i id=i{i}>x</i>"))
        }),
        ("same-id", |n| {
            numbered(25_000 * n, |out, _| write!(out, "<i id=same>x</i>"))
        }),
        ("labels", |n| {
            numbered(10_000 * n, |out, i| {
                write!(
                    out,
                    "<label for=i{i}>Name {i}</label><input id=i{i} name=n{i}>"
                )
            })
        }),
        ("labels-of-one", |n| {
            numbered(10_000 * n, |out, _| {
                write!(out, "<label for=same>Name</label><input id=same name=n>")
            })
        }),
        ("fields", |n| {
            numbered(2_500 * n, |out, i| {
                write!(
                    out,
                    "<input name=n{i} autocomplete=\"section-a shipping name\"><select name=s{i}><option>x</select>"
                )
            })
        }),
        ("forms", |n| {
            numbered(10_000 * n, |out, i| {
                write!(
                    out,
                    "<form action=/f{i}><input type=password name=p></form>"
                )
            })
        }),
        ("cells", |n| {
            let row = format!("<tr>{}", "<td headers=h1>x".repeat(50));
            page(&format!("<table>{}", row.repeat(100 * n)))
        }),
        ("one-row", |n| {
            page(&format!(
                "<table><tr>{}",
                "<th scope=col>x<td>y".repeat(2_500 * n)
            ))
        }),
        ("headings", |n| {
            numbered(10_000 * n, |out, i| {
                write!(out, "<h{}>Heading {i}</h{}>", i % 6 + 1, i % 6 + 1)
            })
        }),
        ("list-items", |n| {
            page(&format!("<ul>{}</ul>", "<li>x".repeat(25_000 * n)))
        }),
        ("images", |n| {
            numbered(12_500 * n, |out, i| write!(out, "<img src=/{i}.png>"))
        }),
        ("figures", |n| {
            numbered(6_000 * n, |out, i| {
                write!(
                    out,
                    "<figure><img src=/{i}.png><figcaption>x</figcaption></figure>"
                )
            })
        }),
        ("frames", |n| {
            numbered(10_000 * n, |out, i| {
                write!(out, "<iframe src=/{i}></iframe>")
            })
        }),
        ("svg", |n| {
            numbered(10_000 * n, |out, i| {
                write!(out, "<svg role=img><title>t{i}</title><path d=M0></svg>")
            })
        }),
        ("buttons-in-links", |n| {
            page(&format!(
                "<a href=/>{}</a>",
                "<button>x</button>".repeat(10_000 * n)
            ))
        }),
        ("options", |n| {
            page(&format!(
                "<select aria-label=x>{}</select>",
                "<option>x".repeat(25_000 * n)
            ))
        }),
        ("meta", |n| {
            head(&"<meta name=robots content=\"noindex, nofollow\">".repeat(10_000 * n))
        }),
        ("canonicals", |n| {
            head_numbered(10_000 * n, |out, i| {
                write!(out, "<link rel=canonical href=/{i}>")
            })
        }),
        ("hreflangs", |n| {
            head_numbered(10_000 * n, |out, i| {
                write!(out, "<link rel=alternate hreflang=en-x{i} href=/{i}>")
            })
        }),
        ("titles", |n| head(&"<title>x</title>".repeat(25_000 * n))),
        ("styles", |n| {
            head(&format!(
                "<style>{}</style>",
                "a.b>c:hover{color:red;font-family:x}\n".repeat(25_000 * n)
            ))
        }),
        ("nested-css", |n| {
            head(&format!(
                "<style>{}</style>",
                "@media x{a{b:c}".repeat(50_000 * n)
            ))
        }),
        ("font-faces", |n| {
            head(&format!(
                "<style>{}</style>",
                "@font-face{font-family:x;src:url(x)}".repeat(25_000 * n)
            ))
        }),
        ("style-elements", |n| {
            head(&"<style>a{b:c}</style>".repeat(10_000 * n))
        }),
        ("scripts", |n| {
            head(&"<script>var a=1;</script>".repeat(20_000 * n))
        }),
        ("script-files", |n| {
            head_numbered(12_500 * n, |out, i| {
                write!(out, "<script src=https://cdn{i}.example/x.js></script>")
            })
        }),
        ("script", |n| {
            head(&format!(
                "<script>{}</script>",
                "var key='AKIAABCDEFGHIJKLMNOP';/* x */ if(a<b){c();}\n".repeat(40_000 * n)
            ))
        }),
        ("script-one-line", |n| {
            head(&format!(
                "<script>{}</script>",
                "a=b+c;".repeat(400_000 * n)
            ))
        }),
        ("script-quotes", |n| {
            head(&format!(
                "<script>{}</script>",
                "'\"`/*//".repeat(300_000 * n)
            ))
        }),
        ("script-noise", |n| {
            head(&format!(
                "<script>{}</script>",
                "eyJhbGciOiJIUzI1NiJ9.".repeat(100_000 * n)
            ))
        }),
        ("json-ld", |n| {
            head(&format!(
                "<script type=application/ld+json>[{}{{}}]</script>",
                "{\"@type\":\"Thing\",\"name\":\"x\"},".repeat(50_000 * n)
            ))
        }),
        ("json-ld-deep", |n| {
            head(&format!(
                "<script type=application/ld+json>{}</script>",
                "[".repeat(1_000_000 * n)
            ))
        }),
        ("json-ld-nested", |n| {
            head(&format!(
                "<script type=application/ld+json>{}1{}</script>",
                "{\"a\":".repeat(30 * n),
                "}".repeat(30 * n)
            ))
        }),
        ("comments", |n| {
            page(&"<!-- comment -->".repeat(100_000 * n))
        }),
        ("comment", |n| {
            page(&format!("<!--{}-->", "<!-- - -- ".repeat(250_000 * n)))
        }),
        ("parse-errors", |n| {
            page(&"</p></b></x><a a a=b<".repeat(25_000 * n))
        }),
        ("unclosed-tags", |n| {
            page(&"<p <p <p <a ".repeat(50_000 * n))
        }),
        ("less-than", |n| page(&"<".repeat(2_000_000 * n))),
        ("entities", |n| {
            page(&"&amp;&#x41;&nosuch;&ltx".repeat(100_000 * n))
        }),
        ("nul-bytes", |n| page(&"\0<\0p>\0".repeat(300_000 * n))),
        ("control-characters", |n| {
            page(&"\u{1}\u{2}\u{200b}\u{202e}".repeat(200_000 * n))
        }),
        ("mojibake", |n| page(&"Ã¤Ã¶â€™ ".repeat(100_000 * n))),
        ("placeholder", |n| {
            page(&"Lorem ipsum dolor sit amet, TODO {{name}} [x] ".repeat(40_000 * n))
        }),
        ("formatting", |n| {
            page(&"<b><i><u><s><em><strong>x".repeat(2_000 * n))
        }),
        ("templates", |n| {
            page(&"<template><p>x</template>".repeat(25_000 * n))
        }),
        ("nested-templates", |n| {
            page(&"<template>".repeat(5_000 * n))
        }),
        ("select-nesting", |n| {
            page(&"<select><optgroup><option>".repeat(10_000 * n))
        }),
        ("frameset-breaks", |n| {
            page(&"<body a=1><html b=2>".repeat(25_000 * n))
        }),
        ("many-html-attributes", |n| {
            numbered(25_000 * n, |out, i| write!(out, "<html a{i}=1>"))
        }),
        ("foreign", |n| {
            page(&"<svg><foreignObject><math><mi>".repeat(2_000 * n))
        }),
        ("aria-owns-circle", |n| {
            numbered(5_000 * n, |out, i| {
                write!(out, "<div id=o{i} role=group aria-owns=o{}>x</div>", i + 1)
            })
        }),
        ("hidden-nesting", |n| {
            page(&"<div hidden aria-hidden=true><button>x</button>".repeat(400 * n))
        }),
        ("long-lines", |n| {
            page(&format!("<p>{}", "<i>x</i>".repeat(60_000 * n)))
        }),
        ("urls", |n| {
            page(&format!(
                "<p>{}",
                "http://localhost:3000/a?b=c#d ".repeat(80_000 * n)
            ))
        }),
        ("long-url", |n| {
            page(&format!(
                "<a href=\"/{}\">x</a>",
                "a/../b/./".repeat(200_000 * n)
            ))
        }),
        ("data-url", |n| {
            page(&format!(
                "<img alt=x src=\"data:image/png;base64,{}\">",
                "QUJD".repeat(500_000 * n)
            ))
        }),
    ]
}

fn page(body: &str) -> String {
    format!(
        "<!doctype html><html lang=en><head><title>A hostile page</title></head><body><main>{body}"
    )
}

fn head(head: &str) -> String {
    format!(
        "<!doctype html><html lang=en><head><title>A hostile page</title>{head}</head><body><p>x"
    )
}

fn many(count: usize, write: impl Fn(&mut String, usize) -> std::fmt::Result) -> String {
    let mut body = String::new();
    for number in 0..count {
        // Writing to a string cannot fail.
        let _ = write(&mut body, number);
    }
    body
}

fn numbered(count: usize, write: impl Fn(&mut String, usize) -> std::fmt::Result) -> String {
    page(&many(count, write))
}

fn head_numbered(count: usize, write: impl Fn(&mut String, usize) -> std::fmt::Result) -> String {
    head(&many(count, write))
}
