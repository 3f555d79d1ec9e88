DROP INDEX deliveries_due;
