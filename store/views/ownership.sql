-- Which source owned which DOF when: the one on top of all that moved it (later stage, then higher
-- priority, then later start).  DOFs that no source moved belong to what states want, and have no row.
CREATE VIEW ownership AS
WITH edges AS (
  SELECT run, dof, started AS t FROM track_sources
  UNION
  SELECT run, dof, ended FROM track_sources WHERE ended IS NOT NULL
),
spans AS (
  SELECT run, dof, t AS started, lead(t) OVER (PARTITION BY run, dof ORDER BY t) AS ended FROM edges
),
owned AS (
  SELECT run, dof, started, ended, (
    SELECT source FROM track_sources k
    WHERE k.run = p.run AND k.dof = p.dof AND k.started <= p.started AND k.ended > p.started
    ORDER BY k.place DESC, k.priority DESC, k.source DESC LIMIT 1) AS owner
  FROM spans p WHERE ended IS NOT NULL
),
marked AS ( -- a span that goes on with the same owner is one with the span before
  SELECT *, owner IS lag(owner) OVER (PARTITION BY run, dof ORDER BY started) AS goes_on FROM owned
),
numbered AS (
  SELECT *, sum(NOT goes_on) OVER (PARTITION BY run, dof ORDER BY started) AS island FROM marked
)
SELECT
  n.run, n.dof, s.name AS owner, s.owner AS whose, s.stage, min(n.started) AS started, max(n.ended) AS ended,
  max(n.ended) - min(n.started) AS seconds, n.owner AS source
FROM numbered n JOIN sources s ON s.run = n.run AND s.id = n.owner
GROUP BY n.run, n.dof, n.island, n.owner;
