-- In which order things happened that have the same time: the number of the row among the run's activations (begun and ended),
-- states, events and faults, rising.  Null: recorded by an older brio, or not known.
ALTER TABLE activations ADD COLUMN ordinal INTEGER;       -- of its beginning
ALTER TABLE activations ADD COLUMN ended_ordinal INTEGER; -- of its end
ALTER TABLE states ADD COLUMN ordinal INTEGER;
ALTER TABLE events ADD COLUMN ordinal INTEGER;
ALTER TABLE faults ADD COLUMN ordinal INTEGER;
