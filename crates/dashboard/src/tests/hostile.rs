//! Texts that try to be more than text.

use std::collections::BTreeSet;

use domain::account::SessionLifetime;
use domain::account::{Session, Token};
use domain::audit_log::Actor;
use domain::id::SessionId;
use domain::key::Role;
use domain::ports::{
    AccountStore, KeyStore, NewKey, NewRun, NewSession, NewSite, OrgStore, RunStore,
};
use domain::report::{AuditResult, Variant};
use testkit::sample;

use super::html::{self, decoded};
use super::pages::{check, crawl, is_page};
use super::targets::{fields, filled};
use super::world::{Fixture, Org, PLAIN};
use crate::route::Method;
use crate::router::routes;

/// Texts that leave an element, an attribute, a template or an address, where they are not escaped.
const TEXTS: [&str; 25] = [
    "<script>alert(1)</script>",
    "</title><script>alert(1)</script>",
    "\"><img src=x onerror=alert(1)>",
    "' onmouseover='alert(1)",
    "\" autofocus onfocus=\"alert(1)",
    "<svg/onload=alert(1)>",
    "<iframe src=javascript:alert(1)></iframe>",
    "javascript:alert(1)//<",
    "data:text/html,<script>alert(1)</script>",
    "{{ layout.token() }}<",
    "{% include \"pages/layout.html\" %}",
    "${alert(1)}<b>",
    "<!-- --><script>alert(1)</script>",
    "]]><script>alert(1)</script>",
    "</textarea><script>alert(1)</script>",
    "</select></form><form action=https://evil.example>",
    "<base href=https://evil.example/>",
    "<meta http-equiv=refresh content=0;url=https://evil.example>",
    "<style>*{display:none}</style>",
    "&lt;script&gt;alert(1)&lt;/script&gt;",
    "&#60;img src=x&#62;",
    "\u{ff1c}script\u{ff1e}<b>",
    "<a href=\"//evil.example\">x</a>",
    "`<x>`",
    "\\\"><script>alert(1)</script>",
];

/// A hundred of them, each different.
fn texts() -> Vec<String> {
    let shapes = |text: &str, number: usize| {
        [
            format!("{text}{number}"),
            format!("{number} {text}"),
            format!("a{number}'\"{text}\"'"),
            format!("{number}<{text}>"),
        ]
    };
    let texts = TEXTS.iter().enumerate();
    texts
        .flat_map(|(number, text)| shapes(text, number))
        .collect()
}

/// No text is in the page as it is, and nothing of it became markup.
fn assert_escaped(html: &str, texts: &[String], what: &str) {
    for text in texts {
        assert!(!html.contains(text.as_str()), "{what} holds {text}");
    }
}

fn fill(world: &Fixture, org: &Org, texts: &[String]) {
    let (stores, by) = (&world.stores, Actor::CommandLine);
    for (number, text) in texts.iter().enumerate() {
        world.guest(&org.id, text, &format!("guest{number}@example.com"));
        let (key, _) = sample::new_key(&world.ids, Role::Read);
        let key = NewKey {
            name: text.clone(),
            ..key
        };
        assert!(stores.create_key(&org.id, &key, &by).unwrap());
        let run = sample::new_run(&world.ids, &format!("https://site{number}.example/"));
        let run = NewRun {
            url: format!("https://site{number}.example/{text}"),
            new_site: NewSite {
                name: text.clone(),
                url: format!("https://site{number}.example/?{text}"),
                ..run.new_site
            },
            ..run
        };
        stores.start_run(&org.id, &run).unwrap();
    }
    for text in texts.iter().take(15) {
        let session = NewSession {
            session: Session {
                id: SessionId::make(&world.ids),
                user_agent: text.clone(),
                ..org.admin.session.clone()
            },
            token: Token::generate(&world.ids).hash(),
        };
        stores
            .sign_in(&session, None, SessionLifetime::default())
            .unwrap();
    }
}

/// A result whose site is as hostile as can be.
fn hostile_result(texts: &[String]) -> AuditResult {
    let mut result = sample::audit_result();
    let mut texts = texts.iter().cycle().cloned();
    let mut next = || texts.next().unwrap_or_default();
    for finding in &mut result.findings {
        finding.title = next();
        finding.why = next();
        finding.fix = next();
        for cause in &mut finding.causes {
            cause.title = next();
            for occurrence in &mut cause.occurrences {
                occurrence.selector = Some(next());
                occurrence.snippet = Some(next());
                occurrence.message = next();
            }
        }
    }
    for visit in &mut result.pages {
        visit.title = Some(next());
        let details = &mut visit.details;
        let texts = [
            &mut details.description,
            &mut details.h1,
            &mut details.canonical,
            &mut details.language,
        ];
        for text in texts {
            *text = Some(next());
        }
    }
    if let Some(visit) = result.pages.last_mut() {
        visit.url = format!("https://www.example.com/{}/x", next());
    }
    for target in &mut result.links.targets {
        target.url = next();
        target.reason = Some(next());
        target.leads_to = Some(next());
    }
    let hops = result
        .links
        .chains
        .iter_mut()
        .flat_map(|chain| &mut chain.hops);
    for hop in hops {
        hop.url = next();
    }
    result
}

#[actix_web::test]
async fn texts_of_people_and_sites_stay_text() {
    let world = Fixture::new(Variant::Current, PLAIN);
    let browser = world.browser().await;
    let texts = texts();
    assert_eq!(texts.iter().collect::<BTreeSet<_>>().len(), 100);
    world.complete(&world.acme.id, &hostile_result(&texts));
    fill(&world, &world.acme, &texts);
    let session = Some(&world.acme.admin.token);
    let comments = format!("/actions/{}/comments", world.acme.action);
    for text in &texts {
        let answer = browser.post(session, &comments, &[("body", text)]).await;
        assert_eq!(answer.status, 303, "{text}");
    }
    for text in texts.iter().take(40) {
        let url = format!("https://hooks.example.com/?{text}");
        let form = [("url", url.as_str()), ("event", "run.completed")];
        let answer = browser.post(session, "/settings/webhooks", &form).await;
        assert!(matches!(answer.status, 200 | 422), "{url}");
        check(&answer, PLAIN, &url);
        assert_escaped(&answer.text, &texts, &url);
    }
    let brief = format!("/actions/{}/brief", world.acme.action);
    let answer = browser
        .post(session, &brief, &[("instructions", &texts[0])])
        .await;
    assert_eq!(answer.status, 303);
    let pages = crawl(&world, &browser, session).await;
    let mut shown = BTreeSet::new();
    for (path, answer) in &pages {
        check(answer, PLAIN, path);
        if answer.header("Content-Type").starts_with("text/html") {
            assert_escaped(&answer.text, &texts, path);
            let text = decoded(&answer.text);
            let family = path.split('?').next().unwrap_or_default().to_owned();
            let found = texts.iter().enumerate();
            let found = found.filter(|(_, hostile)| text.contains(hostile.as_str()));
            shown.extend(found.map(|(number, _)| (family.clone(), number)));
        }
    }
    for family in ["/settings/members", "/settings/api", "/actions/act_", "/"] {
        let numbers = shown.iter().filter(|(known, _)| match family {
            "/" => known == "/",
            family => known.starts_with(family),
        });
        let numbers: BTreeSet<_> = numbers.map(|(_, number)| number).collect();
        assert_eq!(numbers.len(), 100, "{family}");
    }
    assert!(shown.iter().any(|(known, _)| known == "/settings/sessions"));
    for family in ["/pages", "/page", "/structure"] {
        let is_shown = |(known, _): &(String, usize)| {
            known.starts_with("/reports/") && known.ends_with(family)
        };
        assert!(shown.iter().any(is_shown), "{family}");
    }
    assert!(shown.iter().any(|(known, _)| known.starts_with("/runs/")));
    assert!(shown.iter().any(|(known, _)| known.starts_with("/sites/")));
}

/// Every field of every form, where what is sent is shown again.
#[actix_web::test]
async fn texts_that_are_sent_again_stay_text() {
    for variant in [Variant::Current, Variant::Legacy] {
        let world = Fixture::new(variant, PLAIN);
        let browser = world.browser().await;
        let texts = texts();
        let session = Some(&world.acme.admin.token);
        let forms = routes(variant).filter(|route| {
            let ends_sessions = ["/sign-out", "/settings/sessions/{id}/end"];
            route.method == Method::Post && !ends_sessions.contains(&route.path)
        });
        for route in forms {
            let path = filled(route.path, &world.acme, None);
            for text in &texts {
                let mut form = fields(&world, route.path, &world.acme);
                for (name, value) in &mut form {
                    if *name != "link" {
                        text.clone_into(value);
                    }
                }
                form.push(("kept.a", text.clone()));
                form.push(("is-form", "yes".to_owned()));
                for session in [session, None] {
                    let answer = browser.post(session, &path, &form).await;
                    check(&answer, PLAIN, &path);
                    assert_escaped(&answer.text, std::slice::from_ref(text), &path);
                }
            }
        }
    }
}

#[actix_web::test]
async fn texts_of_addresses_stay_text() {
    let world = Fixture::new(Variant::Current, PLAIN);
    let browser = world.browser().await;
    let texts = texts();
    let names = [
        "next",
        "link",
        "url",
        "max-pages",
        "mode",
        "device",
        "include",
        "exclude",
        "user-agent",
        "after",
        "cursor",
        "status",
        "priority",
        "siteId",
        "assigneeId",
        "format",
        "comments",
        "event",
        "actor",
        "changed",
        "done",
    ];
    for route in routes(Variant::Current).filter(|route| route.method == Method::Get) {
        for (number, text) in texts.iter().enumerate() {
            // All at once, and one by one, since one that is refused hides the others.
            let all: Vec<_> = names.iter().map(|name| (*name, text.as_str())).collect();
            let one = all.get(number % names.len()).copied();
            for query in [all, one.into_iter().collect()] {
                let path = filled(route.path, &world.acme, None);
                let path = format!("{path}?{}", super::browser::encoded(&query));
                let answer = browser.get(Some(&world.acme.admin.token), &path).await;
                check(&answer, PLAIN, &path);
                assert_escaped(&answer.text, std::slice::from_ref(text), &path);
            }
        }
    }
}

#[actix_web::test]
async fn names_that_turn_the_text_around_are_refused() {
    let world = Fixture::new(Variant::Current, PLAIN);
    let browser = world.browser().await;
    let session = Some(&world.acme.admin.token);
    let members = world.stores.members(&world.acme.id).unwrap();
    let keys = world.stores.keys(&world.acme.id).unwrap();
    for mark in [
        '\u{202e}', '\u{200f}', '\u{2066}', '\u{200b}', '\u{feff}', '\u{7}', '\n',
    ] {
        let name = format!("a{mark}b");
        let form = [("name", name.as_str()), ("role", "read"), ("days", "30")];
        let answer = browser.post(session, "/settings/api", &form).await;
        assert_eq!(answer.status, 422, "{mark:?}");
        let form = [
            ("name", name.as_str()),
            ("email", "eve@example.com"),
            ("role", "read"),
        ];
        let answer = browser.post(session, "/settings/members", &form).await;
        assert_eq!(answer.status, 422, "{mark:?}");
    }
    assert_eq!(world.stores.members(&world.acme.id).unwrap(), members);
    assert_eq!(world.stores.keys(&world.acme.id).unwrap(), keys);
}

/// Links lead to the web alone, whatever an audited site calls its pages.
#[actix_web::test]
async fn addresses_of_sites_become_links_only_where_they_are_of_the_web() {
    let world = Fixture::new(Variant::Current, PLAIN);
    let browser = world.browser().await;
    let mut result = sample::audit_result();
    for finding in &mut result.findings {
        for cause in &mut finding.causes {
            for occurrence in &mut cause.occurrences {
                occurrence.url = "javascript:alert(1)".to_owned();
            }
        }
    }
    world.complete(&world.acme.id, &result);
    let session = Some(&world.acme.admin.token);
    for (path, answer) in crawl(&world, &browser, session).await {
        let read = html::read(&answer.text);
        assert!(!is_page(&answer) || read.is_ok(), "{path}: {read:?}");
    }
}
