//! Shell completions and man pages.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use clap::{Command, CommandFactory};

use crate::args::{Cli, CompletionsArgs, ManArgs};
use crate::exit::Exit;
use crate::output::{write_bytes, write_note};

/// Prints the completions for a shell.
///
/// # Errors
/// When standard output cannot be written.
pub fn run_completions(args: &CompletionsArgs) -> Result<Exit> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "assay", &mut script);
    write_bytes(&script).context("cannot write to standard output")?;
    Ok(Exit::Fine)
}

/// Writes a man page for each command.
///
/// # Errors
/// When a file cannot be written.
pub fn run_man(args: &ManArgs) -> Result<Exit> {
    std::fs::create_dir_all(&args.output)
        .with_context(|| format!("cannot create {}", args.output.display()))?;
    let mut command = Cli::command().disable_help_subcommand(true);
    command.build();
    let written = pages(&command, "assay", &args.output)?;
    write_note(&format!(
        "{} man pages written to {}",
        written,
        args.output.display()
    ));
    Ok(Exit::Fine)
}

/// Writes the page of a command and those of the commands below it, and counts them.
fn pages(command: &Command, name: &str, folder: &Path) -> Result<usize> {
    let mut page = Vec::new();
    clap_mangen::Man::new(command.clone())
        .title(name)
        .render(&mut page)
        .context("cannot render a man page")?;
    let file: PathBuf = folder.join(format!("{name}.1"));
    std::fs::write(&file, page).with_context(|| format!("cannot write {}", file.display()))?;
    let mut written = 1;
    for below in command
        .get_subcommands()
        .filter(|below| !below.is_hide_set())
    {
        written += pages(below, &format!("{name}-{}", below.get_name()), folder)?;
    }
    Ok(written)
}
