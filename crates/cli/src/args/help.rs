//! The help of `assay`, with the commands in groups.

use std::fmt::Write as _;

use clap::{Command, CommandFactory, FromArgMatches};
use terminal_size::{Width, terminal_size};

use super::Cli;

/// The groups of commands in the order of the help. Hidden commands have no group.
const GROUPS: [(&str, &[&str]); 5] = [
    ("Audit from this machine", &["audit", "diff", "checks"]),
    (
        "Use a service (ASSAY_URL, ASSAY_API_KEY)",
        &[
            "start", "runs", "reports", "sites", "history", "schedule", "actions", "waivers",
            "webhooks", "account", "mcp",
        ],
    ),
    (
        "Run a service",
        &[
            "serve",
            "worker",
            "doctor",
            "health",
            "config",
            "migrate",
            "backup",
            "restore",
            "forget-secrets",
        ],
    ),
    (
        "Administer a service",
        &["orgs", "members", "keys", "plans"],
    ),
    ("Other", &["completions", "help"]),
];
/// The columns before the description of a command.
const INDENT: usize = 18;
/// The fewest and most columns of the help.
const NARROWEST: usize = 60;
const WIDEST: usize = 100;

/// Parses the arguments of this process.
///
/// # Errors
/// When they are wrong, or ask for help or the version.
pub fn parse() -> Result<Cli, clap::Error> {
    let mut command = grouped(Cli::command());
    let mut matches = command.try_get_matches_from_mut(std::env::args_os())?;
    Cli::from_arg_matches_mut(&mut matches).map_err(|error| error.format(&mut command))
}

/// The command with its subcommands in groups.
fn grouped(command: Command) -> Command {
    let width = terminal_size().map_or(WIDEST, |(Width(width), _)| usize::from(width));
    let template = template(&command, width.clamp(NARROWEST, WIDEST));
    command.help_template(template)
}

fn template(command: &Command, width: usize) -> String {
    let header = *command.get_styles().get_header();
    let indent = " ".repeat(INDENT);
    let mut groups = String::new();
    for (heading, names) in GROUPS {
        let _ = writeln!(groups, "{header}{heading}:{header:#}");
        for name in names {
            let about = match command.find_subcommand(name).and_then(Command::get_about) {
                Some(about) => about.to_string(),
                None => "Print this message or the help of a command".to_owned(),
            };
            let first = format!("  {name:<15} ");
            let options = textwrap::Options::new(width)
                .initial_indent(&first)
                .subsequent_indent(&indent);
            let _ = writeln!(groups, "{}", textwrap::fill(&about, options));
        }
        groups.push('\n');
    }
    format!(
        "{{about-with-newline}}\n{{usage-heading}} {{usage}}\n\n{groups}{header}Options:{header:#}\n{{options}}"
    )
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_visible_command_is_in_one_group() {
        let command = Cli::command();
        let visible = command.get_subcommands().filter(|it| !it.is_hide_set());
        let visible: BTreeSet<&str> = visible.map(Command::get_name).chain(["help"]).collect();
        let listed: Vec<&str> = GROUPS
            .iter()
            .flat_map(|(_, names)| *names)
            .copied()
            .collect();
        assert_eq!(listed.iter().copied().collect::<BTreeSet<_>>(), visible);
        assert_eq!(listed.len(), visible.len());
    }

    #[test]
    fn the_help_fits_its_width() {
        let help = grouped(Cli::command()).render_help().to_string();
        assert!(help.contains("Audit from this machine:"), "{help}");
        let text = template(&Cli::command(), 80);
        let lines = text.lines().filter(|line| line.starts_with("  "));
        for line in lines {
            assert!(line.chars().count() <= 80, "{line}");
        }
    }
}
