-- Whose a source is: 'autonomy' (what the robot does of itself), 'script' (its behavior) or 'operator' (a person).
ALTER TABLE sources ADD COLUMN owner TEXT;
