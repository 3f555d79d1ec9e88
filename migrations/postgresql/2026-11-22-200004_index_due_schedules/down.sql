DROP INDEX schedules_due;
