//! The page texts of a site of any number of pages.

use std::fmt::Write;

use crate::large_site::mixed;

/// The folder of all pages except `/`.
pub(super) const FOLDER: &str = "/harbours/";

/// The pages that a page links to from its own list.
const CHILDREN: u32 = 30;

const NAMES: [&str; 24] = [
    "Alder",
    "Birch",
    "Cormorant",
    "Dune",
    "Eider",
    "Fern",
    "Gull",
    "Heron",
    "Inlet",
    "Juniper",
    "Kelp",
    "Lark",
    "Marram",
    "Nettle",
    "Otter",
    "Plover",
    "Quay",
    "Reed",
    "Seal",
    "Tern",
    "Urchin",
    "Viola",
    "Willow",
    "Yarrow",
];

const THINGS: [&str; 32] = [
    "the old crane",
    "a row of boats",
    "the fish market",
    "a stone bench",
    "the bakery",
    "a narrow bridge",
    "the lifeboat",
    "a white tower",
    "the school",
    "a small museum",
    "the rope shop",
    "a garden of roses",
    "the customs house",
    "a long jetty",
    "the chapel",
    "a ship of iron",
    "the smoke house",
    "a wide beach",
    "the station",
    "a field of barley",
    "the signal mast",
    "a pond with ducks",
    "the library",
    "a workshop for sails",
    "the inn",
    "a hill with sheep",
    "the oil mill",
    "a path of planks",
    "the town hall",
    "a wall of slate",
    "the boat yard",
    "a quiet square",
];

const PEOPLE: [&str; 16] = [
    "the harbour master",
    "a retired pilot",
    "the baker",
    "a painter from the city",
    "the teacher",
    "a family of fishers",
    "the ferry crew",
    "a young carpenter",
    "the doctor",
    "a group of rowers",
    "the postwoman",
    "a shepherd",
    "the cook",
    "a choir of sailors",
    "the engineer",
    "a beekeeper",
];

const TIMES: [&str; 16] = [
    "early in the morning",
    "after the second ferry",
    "on warm evenings",
    "late in autumn",
    "before the church bell rings",
    "on the first Sunday of the month",
    "during the spring tide",
    "when the fog has gone",
    "around noon",
    "in the week of the regatta",
    "between two showers",
    "after the harvest",
    "on market days",
    "as soon as school is out",
    "in the short days of winter",
    "while the lamps are lit",
];

const VERBS: [&str; 16] = [
    "repairs",
    "looks after",
    "shows visitors",
    "paints",
    "remembers",
    "has written about",
    "keeps the keys of",
    "is proud of",
    "walks to",
    "tells stories about",
    "collects money for",
    "sweeps the ground around",
    "has a photograph of",
    "meets friends at",
    "sells cards of",
    "knows the age of",
];

/// The texts in the form of `site.txt`. `entity` goes into the head of `/`.
pub(super) fn pages(count: u32, entity: &str) -> String {
    let mut text = String::new();
    for page in 0..count {
        write_page(&mut text, page, count, entity);
    }
    text
}

/// Writing to memory cannot fail, so results are ignored.
fn write_page(text: &mut String, page: u32, count: u32, entity: &str) {
    let own = name(page);
    let _ = writeln!(
        text,
        "=== {}\ntitle: The harbour of {own}\ndescription: What there is to see in the harbour of {own}, when the boats leave it and where to eat.",
        path(page)
    );
    if page == 0 {
        let _ = writeln!(text, "head: {entity}");
    }
    let mut chance = Chance(mixed(u64::from(page) ^ 0x601d));
    for heading in ["", "What to see", "Who lives there"] {
        if !heading.is_empty() {
            let _ = writeln!(text, "<h2>{heading}</h2>");
        }
        let sentences: Vec<String> = (0..7).map(|_| chance.sentence(&own)).collect();
        let _ = writeln!(text, "<p>{}</p>", sentences.join(" "));
    }
    let _ = writeln!(
        text,
        "<p><img src='/small.gif' alt='The pier of {own}' width='200' height='150' loading='lazy'></p>"
    );
    let links: String = linked(page, count)
        .map(|to| {
            format!(
                "<li><a href='{}'>The harbour of {}</a></li>",
                path(to),
                name(to)
            )
        })
        .collect();
    if !links.is_empty() {
        let _ = writeln!(text, "<h2>Harbours nearby</h2>\n<ul>{links}</ul>");
    }
}

/// The parent, the children and the next page.
fn linked(page: u32, count: u32) -> impl Iterator<Item = u32> {
    let parent = page.checked_sub(1).map(|before| before / CHILDREN);
    let first = page.saturating_mul(CHILDREN).saturating_add(1);
    let children = first.min(count)..first.saturating_add(CHILDREN).min(count);
    let next = page.checked_add(1).filter(|next| *next < count);
    let next = next.filter(|next| !children.contains(next) && Some(*next) != parent);
    parent.into_iter().chain(next).chain(children)
}

fn path(page: u32) -> String {
    match page {
        0 => "/".to_owned(),
        _ => format!("{FOLDER}number-{page}"),
    }
}

/// A name that no other page has.
fn name(page: u32) -> String {
    let mut chance = Chance(mixed(u64::from(page)));
    format!("{} {}", chance.pick(&NAMES), page + 1)
}

/// A sequence of numbers.
struct Chance(u64);

impl Chance {
    fn next(&mut self) -> u64 {
        self.0 = mixed(self.0);
        self.0
    }

    fn pick(&mut self, from: &[&'static str]) -> &'static str {
        let chance = usize::try_from(self.next() >> 33).unwrap_or_default();
        let index = chance.checked_rem(from.len()).unwrap_or_default();
        from.get(index).copied().unwrap_or_default()
    }

    fn sentence(&mut self, own: &str) -> String {
        let form = self.next() >> 20;
        let (thing, other) = (self.pick(&THINGS), self.pick(&THINGS));
        let (person, time, verb) = (self.pick(&PEOPLE), self.pick(&TIMES), self.pick(&VERBS));
        match form % 5 {
            0 => format!("Behind {thing} there is {other}, which is open {time}."),
            1 => format!("In {own}, {person} {verb} {thing} {time}."),
            2 => format!(
                "From {thing} it is ten minutes on foot to {other}, and {person} may come along {time}."
            ),
            3 => format!("Whoever arrives {time} finds {thing} and, a little further on, {other}."),
            _ => format!(
                "It is said that {person} {verb} {thing}, and that {other} was built {time}."
            ),
        }
    }
}
