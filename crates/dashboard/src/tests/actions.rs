//! Action items beyond one page: choosing sites and members of many, the board, and changing several at once.

use domain::account::Token;
use domain::action::{ActionItem, ActionPatch, ActionStatus, FieldPatch, Title};
use domain::audit_log::Actor;
use domain::id::{ActionId, RunId};
use domain::key::Role;
use domain::ports::{ActionStore, OrgStore, RunStore};
use domain::report::Variant;
use testkit::sample;

use super::browser::{Browser, Reply};
use super::html;
use super::world::{Fixture, PLAIN};

/// Sites and members that a list offers.
const OFFERED: usize = 20;
/// Items of a column of the board.
const COLUMN: usize = 10;

fn item(world: &Fixture, title: &str) -> ActionId {
    let by = Actor::CommandLine;
    let of_audit = (world.stores)
        .action(&world.acme.id, &world.acme.action, Variant::Current)
        .unwrap()
        .unwrap();
    let item = ActionItem {
        id: ActionId::make(&world.ids),
        title: Title::parse(title).unwrap(),
        audit: None,
        site_id: None,
        ..of_audit
    };
    world
        .stores
        .create_action(&world.acme.id, &item, &by)
        .unwrap();
    item.id
}

fn read(world: &Fixture, id: &ActionId) -> ActionItem {
    let found = world.stores.action(&world.acme.id, id, Variant::Current);
    found.unwrap().unwrap()
}

/// The values of the options of a list.
fn options(answer: &Reply, select: &str) -> Vec<String> {
    let start = format!("<select id=\"{select}\"");
    let list = answer.text.split(&start).nth(1).unwrap();
    let list = list.split("</select>").next().unwrap();
    let parts = list.split("<option value=\"").skip(1);
    let values = parts.filter_map(|part| part.split('"').next());
    let values = values.filter(|value| !value.is_empty());
    values.map(str::to_owned).collect()
}

#[actix_web::test]
async fn the_filters_offer_the_first_sites_and_members_and_find_the_others() {
    let world = Fixture::new(Variant::Current, PLAIN);
    let browser = world.browser().await;
    let session = Some(&world.acme.reader.token);
    let few = browser.get(session, "/actions").await;
    assert!(!few.text.contains("findSite"), "nothing is hidden");
    for number in 0..30 {
        let run = sample::new_run(&world.ids, &format!("https://site{number}.example/"));
        world.stores.start_run(&world.acme.id, &run).unwrap();
        let name = format!("Guest {number}");
        world.guest(&world.acme.id, &name, &format!("guest{number}@example.com"));
    }
    let many = browser.get(session, "/actions").await;
    for select in ["site", "assignee"] {
        assert_eq!(options(&many, select).len(), OFFERED, "{select}");
    }
    // A search offers what it finds, and what it finds alone is chosen.
    let some = browser
        .get(session, "/actions?findSite=SITE2&findMember=guest+1")
        .await;
    assert_eq!(options(&some, "site").len(), 11);
    assert_eq!(options(&some, "assignee").len(), 11);
    let one = browser.get(session, "/actions?findSite=site29").await;
    let found = options(&one, "site");
    assert_eq!(found.len(), 1);
    assert!(
        one.text
            .contains(&format!("value=\"{}\" selected", found[0]))
    );
    assert!(one.text.contains("No item matches this filter."));
    // What is chosen stays in the list, although it is not among the first.
    let chosen = browser
        .get(session, &format!("/actions?siteId={}", found[0]))
        .await;
    let offered = options(&chosen, "site");
    assert_eq!(offered.len(), OFFERED + 1);
    assert!(offered.contains(&found[0]));
}

#[actix_web::test]
async fn the_assignees_of_an_item_are_the_first_members_and_those_that_a_search_finds() {
    let world = Fixture::new(Variant::Current, PLAIN);
    let browser = world.browser().await;
    let session = Some(&world.acme.member.token);
    let path = format!("/actions/{}", world.acme.action);
    for number in 0..30 {
        let name = format!("Guest {number}");
        world.guest(&world.acme.id, &name, &format!("guest{number}@example.com"));
    }
    let assignee = world.guest(&world.acme.id, "Zoe", "zoe@example.com");
    let found = browser
        .get(session, &format!("{path}?findMember=zoe"))
        .await;
    assert_eq!(options(&found, "assignee"), [assignee.to_string()]);
    let form = [("assignee", assignee.as_str()), ("before-assignee", "")];
    assert_eq!(browser.post(session, &path, &form).await.status, 303);
    let shown = browser.get(session, &path).await;
    assert_eq!(options(&shown, "assignee").len(), OFFERED + 1);
    assert!(
        shown
            .text
            .contains(&format!("value=\"{assignee}\" selected"))
    );
}

#[actix_web::test]
async fn a_column_of_the_board_is_bounded_and_leads_to_the_rest() {
    let world = Fixture::new(Variant::Current, PLAIN);
    let browser = world.browser().await;
    let session = Some(&world.acme.reader.token);
    let ids: Vec<_> = (0..25)
        .map(|number| item(&world, &format!("Task {number}")))
        .collect();
    let patch = ActionPatch {
        status: Some(ActionStatus::Dismissed),
        ..ActionPatch::default()
    };
    for id in &ids {
        let by = Actor::CommandLine;
        let changed = world
            .stores
            .patch_action(&world.acme.id, id, &patch, sample::noon(), &by);
        changed.unwrap();
    }
    let board = browser.get(session, "/actions?view=board").await;
    let column = board.text.split("id=\"column-dismissed\"").nth(1).unwrap();
    let column = column.split("</section>").next().unwrap();
    assert_eq!(column.matches("data-item").count(), COLUMN);
    let links = html::values(&board.text, "a", "href");
    let rest = links
        .iter()
        .find(|link| link.as_str() == "/actions?status=dismissed");
    let list = browser.get(session, rest.unwrap()).await;
    assert_eq!(list.text.matches("data-item").count(), 25);
    // The filter stays when the view changes.
    let board = browser
        .get(session, "/actions?priority=low&view=board")
        .await;
    let links = html::values(&board.text, "a", "href");
    assert!(
        links.contains(&"/actions?status=open&status=in_progress&priority=low".to_owned()),
        "{links:?}"
    );
}

async fn change(
    browser: &Browser,
    session: &Token,
    ids: &[&ActionId],
    fields: &[(&str, &str)],
) -> Reply {
    let ids = ids.iter().map(|id| ("id", id.as_str()));
    let form: Vec<_> = ids.chain(fields.iter().copied()).collect();
    browser.post(Some(session), "/actions/chosen", &form).await
}

#[actix_web::test]
async fn several_items_are_changed_at_once() {
    let world = Fixture::new(Variant::Current, PLAIN);
    let browser = world.browser().await;
    let (session, member) = (&world.acme.member.token, &world.acme.member.member);
    let [one, other, third] = ["One", "Other", "Third"].map(|title| item(&world, title));
    let fields = [
        ("status", "in_progress"),
        ("assignee", member.as_str()),
        ("due-date", "2026-12-24"),
        ("list", "status=done&view=board"),
    ];
    let done = change(&browser, session, &[&one, &other, &one], &fields).await;
    assert!(
        done.leads_to("/actions?status=done&view=board&changed=2"),
        "{done:?}"
    );
    for id in [&one, &other] {
        let item = read(&world, id);
        assert_eq!(item.status, ActionStatus::InProgress);
        assert_eq!(item.assignee.as_ref(), Some(member));
    }
    assert_eq!(read(&world, &third).status, ActionStatus::Open);
    let shown = browser.get(Some(session), "/actions?changed=2").await;
    assert!(shown.text.contains("2 items were changed."));
    let back = change(&browser, session, &[&one], &[("assignee", "nobody")]).await;
    assert!(back.leads_to("/actions?changed=1"), "{back:?}");
    assert_eq!(read(&world, &one).assignee, None);
    // Each change is in the audit log, as if it had been made on the page of the item.
    let log = world.stores.audit_log(&world.acme.id).unwrap();
    let changed = log.iter().filter(|line| line.event == "action.updated");
    assert_eq!(
        changed.filter(|line| line.actor == member.as_str()).count(),
        3
    );
}

#[actix_web::test]
async fn a_change_of_several_items_is_made_for_all_or_refused() {
    let world = Fixture::new(Variant::Current, PLAIN);
    let browser = world.browser().await;
    let session = &world.acme.member.token;
    let one = item(&world, "One");
    let before = world.rows();
    let status = [("status", "done")];
    // Another organization's item, after one that is there.
    let foreign = change(&browser, session, &[&one, &world.rival.action], &status).await;
    assert_eq!(foreign.status, 404);
    let stranger = [("assignee", world.rival.member.member.as_str())];
    for (ids, fields, text) in [
        (vec![], &status, "Choose at least one item to change."),
        (vec![&one], &[("status", "")], "Choose what to change"),
        (vec![&one], &[("status", "closed")], "Status: "),
        (vec![&one], &stranger, "Assignee: "),
    ] {
        let refused = change(&browser, session, &ids, fields).await;
        assert_eq!(refused.status, 422, "{text}");
        assert!(refused.text.contains(text), "{text}: {}", refused.text);
    }
    let many: Vec<_> = (0..51).map(|_| ActionId::make(&world.ids)).collect();
    let many: Vec<_> = many.iter().collect();
    let refused = change(&browser, session, &many, &status).await;
    assert!(
        refused.text.contains("Choose at most 50 items"),
        "{refused:?}"
    );
    // A list that is no address of ours leads to the list.
    let outside = [("status", "open"), ("list", "//evil.example?status=x")];
    let done = change(&browser, session, &[&one], &outside).await;
    assert!(done.header("Location").starts_with("/actions"), "{done:?}");
    assert_eq!(world.rows(), before);
}

#[actix_web::test]
async fn readers_hand_off_and_change_nothing() {
    let world = Fixture::new(Variant::Current, PLAIN);
    let browser = world.browser().await;
    let session = Some(&world.acme.reader.token);
    let before = world.rows();
    for path in ["/actions", "/actions?view=board"] {
        let list = browser.get(session, path).await;
        assert!(
            list.text
                .contains("action=\"/actions/handoff\" id=\"chosen\""),
            "{path}"
        );
        assert!(!list.text.contains("New status"), "{path}");
    }
    let form = [("id", world.acme.action.as_str()), ("do", "handoff")];
    let prompt = browser.post(session, "/actions/handoff", &form).await;
    assert!(prompt.text.contains("Handoff prompt"));
    let member = Some(&world.acme.member.token);
    let prompt = browser.post(member, "/actions/chosen", &form).await;
    assert!(prompt.text.contains("Handoff prompt"), "{prompt:?}");
    assert_eq!(world.rows(), before);
}

#[actix_web::test]
async fn a_fix_is_verified_by_an_audit_of_its_pages() {
    let world = Fixture::new(Variant::Current, PLAIN);
    let browser = world.browser().await;
    let session = Some(&world.acme.member.token);
    let path = format!("/actions/{}", world.acme.action);
    let page = browser.get(session, &path).await;
    assert!(page.text.contains("Verify the fix"));
    let started = browser
        .post::<&str>(session, &format!("{path}/verify"), &[])
        .await;
    let run = started.header("Location").strip_prefix("/runs/").unwrap();
    let run = RunId::parse(run).unwrap();
    let run = world.stores.run(&world.acme.id, &run).unwrap().unwrap();
    assert_eq!(run.site_id, world.acme.site);
    let item = read(&world, &world.acme.action);
    let dossier = (world.stores).dossier(&world.acme.id, &item.id, Variant::Current);
    let issue = dossier.unwrap().unwrap().issue.unwrap();
    assert_eq!(issue.subject, domain::SubjectKind::Page);
    let pages = u32::try_from(run.options.include.len()).unwrap();
    assert!(pages > 0);
    assert_eq!(run.options.max_pages, pages);
    assert_eq!(run.options.max_depth, Some(pages));
    // Nobody can audit what was added by hand.
    let by_hand = self::item(&world, "Write the imprint");
    let path = format!("/actions/{by_hand}");
    let page = browser.get(session, &path).await;
    assert!(!page.text.contains("Verify the fix"));
    let refused = browser
        .post::<&str>(session, &format!("{path}/verify"), &[])
        .await;
    assert_eq!(refused.status, 409);
}

#[actix_web::test]
async fn a_dismissed_item_offers_to_accept_its_findings() {
    let world = Fixture::new(Variant::Current, PLAIN);
    let browser = world.browser().await;
    let path = format!("/actions/{}", world.acme.action);
    let offer = "Accept its findings with a waiver";
    let patch = ActionPatch {
        status: Some(ActionStatus::Dismissed),
        assignee: FieldPatch::Keep,
        ..ActionPatch::default()
    };
    for is_dismissed in [false, true] {
        if is_dismissed {
            let (org, by) = (&world.acme.id, Actor::CommandLine);
            let changed =
                world
                    .stores
                    .patch_action(org, &world.acme.action, &patch, sample::noon(), &by);
            changed.unwrap();
        }
        for role in Role::ALL {
            let session = Some(&world.acme.person(role).token);
            let page = browser.get(session, &path).await;
            let is_offered = is_dismissed && role.allows(Role::Member);
            assert_eq!(
                page.text.contains(offer),
                is_offered,
                "{role} {is_dismissed}"
            );
        }
    }
    let session = Some(&world.acme.member.token);
    let page = browser.get(session, &path).await;
    let links = html::values(&page.text, "a", "href");
    let link = links
        .iter()
        .find(|link| link.contains("/waivers?check="))
        .unwrap();
    let form = browser.get(session, link).await;
    let check = read(&world, &world.acme.action).audit.unwrap().check_id;
    assert!(form.text.contains(&format!("value=\"{check}\"")));
}

#[actix_web::test]
async fn the_items_that_match_the_filter_are_saved_as_a_file() {
    let world = Fixture::new(Variant::Current, PLAIN);
    let browser = world.browser().await;
    // More than are read at once.
    let added: Vec<_> = (0..505)
        .map(|number| item(&world, &format!("Item {number}")))
        .collect();
    let session = Some(&world.acme.reader.token);
    let list = browser.get(session, "/actions?status=open").await;
    let links = html::values(&list.text, "a", "href");
    let link = links.iter().find(|link| link.starts_with("/actions.csv"));
    let file = browser.get(session, link.unwrap()).await;
    assert!(
        file.header("Content-Type")
            .starts_with("text/csv; charset=utf-8")
    );
    let rows: Vec<_> = file.text.lines().skip(1).collect();
    assert!(rows.len() > added.len(), "{}", rows.len());
    for id in [&added[0], &added[504]] {
        assert!(rows.iter().any(|row| row.starts_with(id.as_str())), "{id}");
    }
    let of_audit = rows
        .iter()
        .find(|row| row.starts_with(world.acme.action.as_str()));
    assert!(of_audit.unwrap().contains("example.com"), "{of_audit:?}");
    let none = browser
        .get(session, "/actions.csv?status=done&priority=low")
        .await;
    assert_eq!(none.text.lines().count(), 1, "{}", none.text);
    let foreign = world.rival.site.as_str();
    let refused = browser
        .get(session, &format!("/actions.csv?siteId={foreign}"))
        .await;
    assert_eq!(refused.status, 404);
}
