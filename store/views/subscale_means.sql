-- The mean answer of each participant to each group of items, reversed items turned round.  How a
-- questionnaire itself makes scores of answers (sums, 0 to 100, what to do about missing ones) is in its
-- file: see `brio ask --score`.
CREATE VIEW subscale_means AS
SELECT a.sitting, a.questionnaire, a.participant, a.condition, a.run, a.language, a.outcome, a.subscale,
       count(a.scored) AS answered, count(*) - count(a.scored) AS skipped, avg(a.scored) AS mean
FROM answers a GROUP BY a.sitting, a.subscale;
