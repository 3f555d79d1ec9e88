DROP TABLE health_probes;
