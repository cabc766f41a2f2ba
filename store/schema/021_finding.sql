-- What is asked for over all runs without beginning with a run: who used a version, and what failed in it.
CREATE INDEX run_versions_by_hash ON run_versions(hash);
CREATE INDEX faults_of_version ON faults(version) WHERE version IS NOT NULL;
