//! scratch
use audit_engine::check::Rule;
use audit_engine::page::Page;
#[global_allocator]
static A: mimalloc::MiMalloc = mimalloc::MiMalloc;
#[tokio::main]
async fn main() {
    let dir = std::env::args().nth(1).unwrap();
    let take: usize = std::env::args().nth(2).unwrap().parse().unwrap();
    let mode = std::env::args().nth(3).unwrap_or_default();
    let mut files = vec![];
    let mut stack = vec![std::path::PathBuf::from(dir)];
    while let Some(d) = stack.pop() {
        for e in std::fs::read_dir(d).unwrap() {
            let p = e.unwrap().path();
            if p.is_dir() {
                stack.push(p)
            } else if p.extension().is_some_and(|e| e == "html") {
                files.push(p)
            }
        }
    }
    files.sort();
    let step = (files.len() / take).max(1);
    let texts: Vec<String> = files
        .iter()
        .step_by(step)
        .filter_map(|f| std::fs::read_to_string(f).ok())
        .collect();
    let checks = audit_engine::checks::catalogue();
    let bytes: usize = texts.iter().map(String::len).sum();
    let mut per: std::collections::BTreeMap<&str, std::time::Duration> = Default::default();
    let begin = std::time::Instant::now();
    let mut parse = std::time::Duration::ZERO;
    let mut n = 0usize;
    for t in &texts {
        let a = std::time::Instant::now();
        let page = Page::builder()
            .url("http://127.0.0.1:18103/a/b.html")
            .header("content-type", "text/html")
            .html(t);
        parse += a.elapsed();
        if mode == "parse" {
            n += page.element_count();
            continue;
        }
        for c in &checks {
            if let Rule::Page(f) = c.rule {
                if mode == "each" {
                    let a = std::time::Instant::now();
                    std::hint::black_box(f(&page));
                    *per.entry(c.id).or_default() += a.elapsed();
                } else {
                    std::hint::black_box(f(&page));
                }
            }
        }
        n += page.element_count();
    }
    let all = begin.elapsed();
    let pages = texts.len() as f64;
    println!(
        "{} pages {} KiB each, {} elements; {:.1} us a page; parse+index {:.1}",
        texts.len(),
        bytes / texts.len() / 1024,
        n,
        all.as_secs_f64() * 1e6 / pages,
        parse.as_secs_f64() * 1e6 / pages
    );
    let mut v: Vec<_> = per.into_iter().collect();
    v.sort_by_key(|x| std::cmp::Reverse(x.1));
    for (id, d) in v.iter().take(60) {
        println!("{:8.2} us {id}", d.as_secs_f64() * 1e6 / pages);
    }
}
