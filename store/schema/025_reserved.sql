-- Nothing: holds the number of a migration that lands separately, which takes the place of this file.
SELECT 1;
