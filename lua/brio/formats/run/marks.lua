--- The events of a recorded run as marks on tiers, for annotation programs: a mark has a beginning, an end
--- (nil: a moment) and a text. To add a kind of mark, add a row here.
local markup = require "brio.lib.markup"

local run_marks = {}

--- Arguments in words; empty if there are none.
local arguments = "coalesce(' ' || nullif(nullif(arguments, '{}'), '[]'), '')"

--- A row is { tier, of = a table or view, by (appended to the tier's name), t0, t1 (absent: moments), label,
--- only (a condition), open (without t1: until the end) }, all of it SQL.
run_marks.list = {
  { tier = "states", of = "states", by = "machine", t0 = "entered", t1 = "left_at", label = "state",
    open = true },
  { tier = "actions", of = "actions", t0 = "coalesce(t_dispatch, t_accept, t_input, t_cue)", t1 = "t_done",
    label = "name || " .. arguments .. " || ' (' || who || ')' || coalesce(' ' || \z
      nullif(outcome, 'done'), '')" },
  { tier = "operator", of = "operator", t0 = "t",
    label = "coalesce(who || ': ', '') || command || " .. arguments },
  { tier = "speech", of = "speech", t0 = "started", t1 = "ended", label = "text", open = true },
  { tier = "gaze", of = "gaze", t0 = "started", t1 = "ended", label = "coalesce(target, kind)" },
  { tier = "sequences", of = "sources", by = "kind", t0 = "started", t1 = "ended", label = "name",
    open = true },
  { tier = "tree", of = "tree_nodes", by = "kind", t0 = "started", t1 = "ended",
    label = "coalesce(name, kind) || ' ' || status" },
  { tier = "session", of = "session_steps", t0 = "coalesce(t_begun, t_cue, t_ended)", t1 = "t_ended",
    label = "step" },
  { tier = "events", of = "events", t0 = "t", label = "name",
    only = "coalesce(source, '') NOT IN ('speech', 'gaze')" },
  { tier = "faults", of = "faults", t0 = "t", label = "severity || ': ' || message" },
  { tier = "operators", of = "operators", t0 = "attached", t1 = "detached",
    label = "who || ' (' || role || ')'", open = true },
  { tier = "parts", of = "locks", by = "part", t0 = "taken", t1 = "given", label = "who", open = true },
  { tier = "log", of = "logs", t0 = "t", label = "severity || ': ' || text" },
  { tier = "notes", of = "notes", t0 = "t", label = "text" },
  { tier = "annotations", of = "annotations", by = "tier", t0 = "t0", t1 = "t1",
    label = "label || coalesce(' (' || coder || ')', '')" },
}

local statement = "SELECT * FROM (SELECT %s AS tier, %s AS t0, %s AS t1, %s AS label FROM %s WHERE run = ?1 \z
  AND %s)"
  .. " WHERE t0 <= ?3 AND coalesce(t1, %s) >= ?2 ORDER BY tier, t0"

local function select_of(row)
  return statement:format(row.by or "NULL", row.t0, row.t1 or "NULL", row.label, row.of, row.only or "1",
    row.open and "1e18" or "t0")
end

--- The marks of a run (brio.record.reader) that touch its span, tier after tier and in order of time: next()
--- -> tier, t0, t1, text. Names of tiers and texts are fit for XML; t1 is nil for moments.
function run_marks.each(run)
  local number, next_row, row = 0, nil, nil
  return function()
    while true do
      local mark = next_row and next_row()
      if mark then
        local t1 = mark.t1 or row.open and run.length or nil
        local tier = mark.tier and row.tier .. ": " .. mark.tier or row.tier
        return markup.plain(tier), mark.t0, t1, markup.plain(mark.label or "")
      end
      number = number + 1
      row = run_marks.list[number]
      if not row then return nil end
      next_row = run:columns(row.of) and run:select(select_of(row))
    end
  end
end

return run_marks
