//! Repository tasks: generated files, rules that the compiler does not check, scaffolds.
//!
//! `cargo xtask tidy` checks the rules, `cargo xtask generate` writes generated files, `cargo xtask new-check`
//! creates the scaffold of a check. This crate contains no product code.

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

/// Repository tasks.
#[derive(Debug, Parser)]
#[command(name = "cargo xtask")]
struct Arguments {
    #[command(subcommand)]
    task: Task,
}

#[derive(Debug, Subcommand)]
enum Task {
    /// Check crate edges, dependency budgets, lints, snapshots, the layout of checks, comments and migrations.
    Tidy,
    /// Write the generated files.
    Generate {
        /// Write nothing, and fail if a generated file is outdated.
        #[arg(long)]
        check: bool,
    },
    /// Create a check: its file and its line in the dimension's list.
    NewCheck {
        /// The dimension, for example `accessibility` or `aiReadiness`.
        #[arg(value_parser = new_check::dimension)]
        dimension: Dimension,
        /// The id of the check, a noun for what it finds, for example `image-alt`.
        id: String,
    },
    /// Print the number of external dependencies of each crate, and which a change adds.
    Dependencies(dependencies::DependenciesArgs),
    /// Draw a random sample of findings to review against their pages.
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
