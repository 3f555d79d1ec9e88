DROP TABLE idempotent_calls;
