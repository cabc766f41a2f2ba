-- What happened in a run, as sentences: SELECT t, sentence FROM story WHERE run = 1 ORDER BY place.
-- `place` orders what happened at the same time: cause before effect, by the rows' `ordinal`. Without: what a
-- script does at the moment at which a state is entered (it emits, says, feels) follows the state, unless
-- that says that it was entered because of that event.
CREATE VIEW story AS
SELECT
  run,
  row_number() OVER (PARTITION BY run ORDER BY t, rank, ordinal, id) AS place,
  t,
  kind,
  sentence
FROM (SELECT run, id, t, kind, sentence, ordinal,
    CASE WHEN did IS NOT NULL AND max(kind = 'state') OVER here
      AND NOT coalesce(instr('|' || group_concat(because, '|') OVER here || '|', '|' || did || '|'), 0)
        THEN 5.2 ELSE rank END AS rank
FROM (
  -- `did`: an event that may be a state's doing; `because`: the event that a state was entered for
  -- what was rolled back failed first: its fault, the rollback, what runs again, and then its states
  SELECT run, id, t, CASE WHEN EXISTS (SELECT 1 FROM events e WHERE e.run = u.run AND e.t = u.t
           AND e.name = 'rolled_back' AND json_extract(e.data, '$.to') = substr(u.hash, 1, 12)) THEN 8
             ELSE 1 END AS rank, NULL AS ordinal, NULL AS did, NULL AS because,
         'version' AS kind,
         'loads ' || name || ', version ' || substr(hash, 1, 8)
           || coalesce(', in place of ' || substr(coalesce(
           (SELECT b.hash FROM run_versions b WHERE b.run = u.run AND b.name = u.name AND b.id < u.id
             ORDER BY b.id DESC LIMIT 1),
           (SELECT parent FROM versions v WHERE v.hash = u.hash)), 1, 8), '')
         AS sentence
  FROM run_versions u
  UNION ALL
  SELECT run, id, t, 2, NULL, NULL, NULL, 'operator',
         coalesce(who, 'the operator') || ' says ' || command
         || CASE WHEN arguments IS NULL OR arguments IN ('', '{}', '[]') THEN '' ELSE ' ' || arguments END
         || coalesce(printf(', %.0f ms late', late_ms), '')
  FROM operator
  UNION ALL
  SELECT run, id, t, CASE WHEN name = 'rolled_back' THEN 7 WHEN ordinal IS NULL THEN 3 ELSE 5 END, ordinal,
         CASE WHEN ordinal IS NOT NULL THEN NULL WHEN source = 'behavior'
           OR name IN ('speaking', 'emotion_felt') THEN name END, NULL, 'event',
         coalesce(CASE WHEN NOT json_valid(data) THEN NULL
           WHEN source = 'speech' AND name = 'speaking' THEN 'says "' || json_extract(data, '$.text') || '"'
           WHEN source = 'gaze' AND name = 'gaze' THEN CASE WHEN json_extract(data, '$.away')
             THEN 'looks away'
             ELSE 'looks at ' || coalesce(json_extract(data, '$.target') || ': '
               || json_extract(data, '$.why'), 'nothing') END
           WHEN source = 'gaze' AND name = 'engaged' THEN 'is engaged with ' || json_extract(data, '$.target')
           WHEN source = 'gaze' AND name = 'disengaged' THEN 'is not engaged with '
             || json_extract(data, '$.target') || ' any more'
           WHEN source = 'emotion' AND name = 'emotion_felt' THEN 'feels '
             || coalesce(json_extract(data, '$.name') || ' ', '')
             || printf('(valence %.2f, arousal %.2f)', round(json_extract(data, '$.valence'), 2) + 0.0,
               round(json_extract(data, '$.arousal'), 2) + 0.0)
           WHEN source = 'tree' AND name = 'tree_edited'
             THEN coalesce(json_extract(data, '$.who'), 'somebody')
             || ' edits the tree of ' || json_extract(data, '$.tree') || ': ' || json_extract(data, '$.says')
           WHEN source = 'operator' AND name = 'previewed' THEN substr(json_extract(data, '$.said'), 1,
             instr(json_extract(data, '$.said') || char(10), char(10)) - 1)
           WHEN source = 'emotion' AND name = 'emotion_changed'
             THEN 'is ' || json_extract(data, '$.to') || ', was ' || json_extract(data, '$.from')
         END, 'event ' || name || CASE
           WHEN source = 'speech' AND name = 'said' AND json_valid(data)
             THEN CASE json_extract(data, '$.why') WHEN 'over' THEN '' ELSE ': '
               || json_extract(data, '$.why') END
           WHEN data IS NULL OR data IN ('', '{}', '[]', 'null') THEN ''
           WHEN json_valid(data) AND json_type(data) = 'object' AND json_extract(data, '$.id') IS NOT NULL
             THEN ' (' || json_extract(data, '$.id') || ')'
           WHEN json_valid(data) AND name = 'rolled_back' AND source = 'reload'
             THEN ': version ' || substr(json_extract(data, '$.from'), 1, 8)
               || coalesce(' of ' || json_extract(data, '$.name'), '')
               || ' failed, ' || substr(json_extract(data, '$.to'), 1, 8) || ' runs again'
           WHEN json_valid(data) AND source = 'motors' AND json_extract(data, '$.text') IS NOT NULL
             THEN ': ' || json_extract(data, '$.text')
           WHEN length(data) > 80 THEN ': ' || substr(data, 1, 80) || '...'
           ELSE ': ' || data END)
  FROM events
  WHERE NOT (source = 'speech' AND name = 'word') -- see the view speech
    AND NOT (name = 'sequence_ended' AND source = 'tracks' AND json_valid(data)
             AND coalesce(json_extract(data, '$.owner'),
               '') = 'autonomy') -- idle life: see the view track_sources
    AND NOT (source = 'perception' AND name IN ('scene_object_stale', 'scene_object_seen')) -- as what follows
  UNION ALL
  SELECT run, id, t, 5.5, NULL, NULL, NULL, 'object',
         'the object ' || name || CASE change
           WHEN 'set_up' THEN ' is set up' || CASE origin WHEN 'seen' THEN coalesce(' from ' || source, '')
             WHEN 'derived' THEN ', derived: ' || kind WHEN 'nominal' THEN ' where it nominally is'
               ELSE '' END
           WHEN 'stale' THEN ' is not seen any more'
           WHEN 'seen' THEN ' is seen again'
           ELSE ' is ' || change END
         || CASE WHEN change IN ('set_up', 'placed', 'nudged') THEN printf(' at %.2f %.2f %.2f', x, y, z)
           ELSE '' END
         || coalesce(', by ' || who, '')
  FROM scene_objects
  UNION ALL
  SELECT run, id, started, iif(ordinal IS NULL, 4, 5), ordinal, NULL, NULL, 'start',
    coalesce(name, behavior, 'activation ' || id) || ' starts'
  FROM activations
  UNION ALL
  SELECT run, id, entered, CASE cause WHEN 'rollback' THEN 9 ELSE 5 END, ordinal, NULL,
         CASE WHEN cause = 'event' THEN substr(detail, 1, instr(detail || ' (', ' (') - 1) END, 'state',
         coalesce(machine || ': ', '') || coalesce(previous || ' -> ' || state, 'starts in ' || state)
         || CASE cause
              WHEN 'event' THEN ', because ' || coalesce(detail, 'of an event')
              WHEN 'timer' THEN ', because its time was over' || coalesce(' (' || detail || ')', '')
              WHEN 'condition' THEN ', because ' || coalesce(nullif(detail, ''), 'a condition')
                || ' came true'
              WHEN 'start' THEN iif(detail = 'history', ', where it was left', '')
              WHEN 'script' THEN CASE detail WHEN 'run' THEN ', because its run was over' WHEN 'tick'
                THEN ', because its tick said so'
                ELSE '' END
              WHEN 'failed' THEN ', because it failed'
              WHEN 'force' THEN ', forced' || coalesce(' by ' || detail, '')
              WHEN 'reload' THEN ', because the state before is no more'
              WHEN 'rollback' THEN ', because a version was rolled back'
              WHEN 'resume' THEN ', where the run before was'
              WHEN 'stop' THEN ', to stop' || coalesce(' (' || detail || ')', '')
              ELSE ''
            END
  FROM states
  UNION ALL
  SELECT run, id, t, iif(ordinal IS NULL, 6, 5), ordinal, NULL, NULL, 'fault',
         severity || coalesce(' in ' || source, '') || ': ' || message
         || coalesce(' (version ' || substr(version, 1, 8) || ')', '')
  FROM faults
  UNION ALL
  SELECT run, id, ended, CASE WHEN EXISTS (SELECT 1 FROM activations n WHERE n.run = a.run
    AND n.ordinal > a.ended_ordinal
           AND n.started = a.ended) THEN 5 ELSE 10 END, -- it goes on in its safe state
         ended_ordinal, NULL, NULL, 'end',
         coalesce(name, behavior, 'activation ' || id) || ' ends' || coalesce(': ' || result, '')
         || printf(', after %.2f s', ended - started) || coalesce(' (' || reason || ')', '')
  FROM activations a WHERE ended IS NOT NULL
  UNION ALL
  SELECT run, id, coalesce(t, 0), 11, NULL, NULL, NULL, 'note', 'note: ' || text
  FROM notes
) WINDOW here AS (PARTITION BY run, t));
