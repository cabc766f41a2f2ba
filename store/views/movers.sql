-- Who moved a DOF, from when to when: sources while they owned it, objectives while they pulled hardest the
-- way it went. what: 'source' or 'objective'; share: of all pulls, its mean over that time; null: of sources.
CREATE VIEW movers AS
WITH ranked AS (
  SELECT run, dof, objective, whose, share, started, ended,
    row_number() OVER (PARTITION BY run, dof, started ORDER BY share DESC) AS place
  FROM objective_shares WHERE share > 0
),
top AS ( -- what goes on with the same objective is one with what was before
  SELECT *, row_number() OVER w > 1 AND objective IS lag(objective) OVER w
    AND started IS lag(ended) OVER w AS goes_on
  FROM ranked WHERE place = 1 WINDOW w AS (PARTITION BY run, dof ORDER BY started)
),
numbered AS (
  SELECT *, sum(NOT goes_on) OVER (PARTITION BY run, dof ORDER BY started) AS island FROM top
)
SELECT run, dof, objective AS mover, whose, 'objective' AS what,
  sum(share * (ended - started)) / sum(ended - started) AS share,
  min(started) AS started, max(ended) AS ended, max(ended) - min(started) AS seconds
FROM numbered WHERE objective NOT LIKE 'track(%' GROUP BY run, dof, island, objective, whose
UNION ALL
SELECT run, dof, owner, whose, 'source', NULL, started, ended, seconds FROM ownership;
