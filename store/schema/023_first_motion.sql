-- [measured] s: by how much earlier the first motion may have been than t_first_motion; null: not known, or
-- there is none.
ALTER TABLE actions ADD COLUMN t_first_motion_error REAL;
