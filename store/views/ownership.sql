-- Which source owned which DOF when: the one on top of all that moved it (later stage, then higher
-- priority, then later start).  DOFs that no source moved belong to what states want, and have no row.
-- Every window is within a run, so that a question about one run looks at no other.
CREATE VIEW ownership AS
WITH edges AS (
  SELECT run, dof, started AS t FROM track_sources
  UNION ALL
  SELECT run, dof, ended FROM track_sources WHERE ended IS NOT NULL
),
spans AS (
  SELECT run, dof, t AS started, lead(t) OVER w AS ended, last_value(t) OVER (PARTITION BY run, dof ORDER BY t
    ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING) AS last
  FROM edges WINDOW w AS (PARTITION BY run, dof ORDER BY t)
),
owned AS (
  SELECT run, dof, started, last, (
    SELECT source FROM track_sources k
    WHERE k.run = p.run AND k.dof = p.dof AND k.started <= p.started AND k.ended > p.started
    ORDER BY k.place DESC, k.priority DESC, k.source DESC LIMIT 1) AS owner
  FROM spans p WHERE ended > started
),
marked AS ( -- a span that goes on with the same owner is one with the span before
  SELECT *, row_number() OVER w > 1 AND owner IS lag(owner) OVER w AS goes_on
  FROM owned WINDOW w AS (PARTITION BY run, dof ORDER BY started)
),
islands AS (
  SELECT run, dof, owner, started, coalesce(lead(started) OVER (PARTITION BY run, dof ORDER BY started),
    last) AS ended
  FROM marked WHERE NOT goes_on
)
SELECT
  n.run, n.dof, s.name AS owner, s.owner AS whose, s.stage, n.started, n.ended,
  n.ended - n.started AS seconds, n.owner AS source
FROM islands n JOIN sources s ON s.run = n.run AND s.id = n.owner;
