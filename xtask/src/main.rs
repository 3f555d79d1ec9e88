//! Tasks of the repository: generated files, rules that no compiler checks, scaffolds.
//!
//! `cargo xtask tidy` checks the rules, `cargo xtask generate` writes what is derived from the
//! sources, `cargo xtask new-check` starts a check. No product code lives here.

mod cargo_tree;
mod dependencies;
mod generate;
mod new_check;
mod sample;
mod tidy;
mod workspace;

use std::io::Write;
use std::process::ExitCode;

use clap::{Parser, Subcommand};
use domain::Dimension;

use crate::workspace::Workspace;

/// Tasks of the repository.
#[derive(Debug, Parser)]
#[command(name = "cargo xtask")]
struct Arguments {
    #[command(subcommand)]
    task: Task,
}

#[derive(Debug, Subcommand)]
enum Task {
    /// Checks crate edges, budgets of dependencies, lints, snapshots, the layout of checks, comments and migrations.
    Tidy,
    /// Writes the generated files.
    Generate {
        /// Writes nothing; fails when a file differs from what would be written.
        #[arg(long)]
        check: bool,
    },
    /// Starts a check: its file, and its line in the dimension's list.
    NewCheck {
        /// Dimension, for example `accessibility` or `aiReadiness`.
        #[arg(value_parser = new_check::dimension)]
        dimension: Dimension,
        /// Id of the check, the noun of what is found, for example `image-alt`.
        id: String,
    },
    /// Prints how many crates from outside each crate brings, and which a change adds.
    Dependencies(dependencies::DependenciesArgs),
    /// Draws findings to be read against their pages.
    Sample(sample::SampleArgs),
}

fn main() -> ExitCode {
    match run(&Arguments::parse()) {
        Ok(code) => code,
        Err(error) => {
            // Nothing is left to do where even stderr is closed.
            let _ = writeln!(std::io::stderr(), "error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let workspace = Workspace::read()?;
    let problems = match &arguments.task {
        Task::Tidy => tidy::problems(&workspace)?,
        Task::Generate { check: true } => generate::problems(&workspace.root)?,
        Task::Generate { check: false } => {
            say(&generate::write(&workspace.root)?)?;
            Vec::new()
        }
        Task::Dependencies(args) => {
            say(&dependencies::report(&workspace.root, args)?)?;
            Vec::new()
        }
        Task::Sample(args) => {
            say(&[sample::draw(args)?.trim_end().to_owned()])?;
            Vec::new()
        }
        Task::NewCheck { dimension, id } => {
            say(&new_check::write(&workspace.root, *dimension, id)?)?;
            Vec::new()
        }
    };
    let mut out = std::io::stderr().lock();
    for problem in &problems {
        writeln!(out, "error: {problem}")?;
    }
    if problems.is_empty() {
        return Ok(ExitCode::SUCCESS);
    }
    writeln!(out, "{} found", count(problems.len(), "problem"))?;
    Ok(ExitCode::FAILURE)
}

fn say(lines: &[String]) -> anyhow::Result<()> {
    let mut out = std::io::stdout().lock();
    for line in lines {
        writeln!(out, "{line}")?;
    }
    Ok(())
}

fn count(number: usize, noun: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{number} {noun}{plural}")
}
