//! The schedule of a site, and the form that sets it.

use domain::schedule::{Frequency, InvalidSchedule, Schedule, ScheduleChange, Timetable};
use domain::text::sentence;

use crate::form::Form;

/// The frequencies that the form offers, by name and label.
pub(super) const FREQUENCIES: [(&str, &str); 4] = [
    ("daily", "Every day"),
    ("weekly", "Every Monday"),
    ("monthly", "On the first of every month"),
    ("custom", "Custom (cron expression)"),
];

/// What the form shows.
pub(super) struct ScheduleForm {
    pub(super) enabled: bool,
    pub(super) frequency: String,
    pub(super) cron: String,
    pub(super) timezone: String,
}

impl ScheduleForm {
    /// The form with the schedule as it is.
    pub(super) fn new(schedule: &Schedule) -> Self {
        let frequency = schedule.frequency.as_ref();
        Self {
            enabled: schedule.enabled,
            frequency: frequency.map_or("weekly", Frequency::as_str).to_owned(),
            cron: frequency
                .and_then(Frequency::cron)
                .unwrap_or_default()
                .to_owned(),
            timezone: schedule.timezone.as_deref().unwrap_or("UTC").to_owned(),
        }
    }

    /// The form as a person sent it.
    pub(super) fn sent(form: &Form) -> Self {
        Self {
            enabled: form.is_ticked("enabled"),
            frequency: form.text("frequency").to_owned(),
            cron: form.text("cron").to_owned(),
            timezone: form.text("timezone").to_owned(),
        }
    }

    /// The schedule that the form asks for. A cron expression counts with the frequency `custom` alone, so that a
    /// person can change the frequency without emptying its field.
    ///
    /// # Errors
    /// A sentence that says what is wrong.
    pub(super) fn change(&self) -> Result<ScheduleChange, String> {
        let is_custom = self.frequency == "custom";
        let cron = Some(self.cron.clone()).filter(|cron| is_custom && !cron.is_empty());
        let timetable = Frequency::asked(&self.frequency, cron)
            .and_then(|frequency| Timetable::new(frequency, &self.timezone));
        let timetable = timetable.map_err(|error| problem(&error))?;
        Ok(ScheduleChange {
            enabled: self.enabled,
            timetable,
        })
    }
}

fn problem(error: &InvalidSchedule) -> String {
    let label = match error.field() {
        "frequency" => "How often",
        "timezone" => "Time zone",
        _ => "Cron expression",
    };
    format!("{label}: {}", sentence(&error.to_string()))
}

/// The schedule in a sentence.
pub(super) fn in_words(schedule: &Schedule) -> String {
    let Some(frequency) = schedule.frequency.as_ref().filter(|_| schedule.enabled) else {
        return "This site is not audited automatically.".to_owned();
    };
    let often = match frequency {
        Frequency::Daily => "every day".to_owned(),
        Frequency::Weekly => "every Monday".to_owned(),
        Frequency::Monthly => "on the first of every month".to_owned(),
        Frequency::Custom(cron) => format!("at the times of `{cron}`"),
    };
    let zone = schedule.timezone.as_deref().unwrap_or("UTC");
    format!("This site is audited {often} (time zone: {zone}).")
}

#[cfg(test)]
mod tests {
    use domain::id::SiteId;

    use super::*;

    fn form(frequency: &str, cron: &str, timezone: &str) -> ScheduleForm {
        ScheduleForm {
            enabled: true,
            frequency: frequency.to_owned(),
            cron: cron.to_owned(),
            timezone: timezone.to_owned(),
        }
    }

    #[test]
    fn an_expression_counts_with_its_frequency_alone() {
        let change = form("daily", "30 4 * * *", "Europe/Berlin").change();
        assert_eq!(*change.unwrap().timetable.frequency(), Frequency::Daily);
        let change = form("custom", "30 4 * * *", "UTC").change().unwrap();
        assert_eq!(change.timetable.frequency().cron(), Some("30 4 * * *"));
    }

    #[test]
    fn what_is_wrong_is_named_by_its_label() {
        for (frequency, cron, zone, label) in [
            ("hourly", "", "UTC", "How often: "),
            ("custom", "", "UTC", "Cron expression: "),
            ("custom", "nonsense", "UTC", "Cron expression: "),
            ("daily", "", "Mars", "Time zone: "),
        ] {
            let problem = form(frequency, cron, zone).change().unwrap_err();
            assert!(problem.starts_with(label), "{problem}");
        }
    }

    #[test]
    fn a_site_without_a_schedule_says_so() {
        let site = SiteId::parse("site_01JD2Y3Z4A5B6C7D8E9F0GHJKM").unwrap();
        let mut schedule = Schedule::none(site);
        assert!(in_words(&schedule).contains("not audited automatically"));
        let change = form("weekly", "", "UTC").change().unwrap();
        schedule.change(&change, None);
        assert_eq!(
            in_words(&schedule),
            "This site is audited every Monday (time zone: UTC)."
        );
    }
}
