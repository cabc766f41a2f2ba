--- The store's rows about operators: stays, actions with their times, locks.
require "brio"
local store = require "brio.store"

test("an action has the row of what was said, its times and what came of it", function(t)
  local path = t:temporary ".db"
  local writer = assert(store.record(path))
  writer:begin { behavior = "b.lua", robot = "toy", seed = 1 }
  writer:put("operators", { id = 1, who = "ann (lab)", role = "wizard", device = "prompt", session = 1,
    attached = 0 })
  writer:put("operator", { tick = 1, t = 0.005, who = "ann (lab)", command = "tune" })
  writer:put("operator", { tick = 2, t = 0.01, who = "ann (lab)", command = "play", arguments = '"nod"',
    late_ms = 3 })
  writer:put("actions", { id = 1, said = 1, operator = 1, who = "ann (lab)", role = "wizard",
    device = "prompt", name = "play",
    arguments = '"nod"', t_cue = 0.001, t_input = 0.006, t_accept = 0.007, t_dispatch = 0.01,
      expected = "play nod", step = "3" })
  writer:put("action_end", { id = 1, t_first_motion = 0.03, t_done = 1.01, outcome = "done" })
  writer:put("action_mark", { id = 1, error_class = "late", marked_by = "ann (lab)", marked_t = 2 })
  writer:put("actions", { id = 2, said = 0, who = "bob", role = "observer", device = "prompt", name = "lua",
    arguments = '"x = 1"',
    t_accept = 0.02, t_dispatch = 0.02, t_done = 0.02, outcome = "refused", reason = "an observer may not" })
  writer:put("operator_end", { id = 1, detached = 2, how = "left" })
  writer:put("locks", { id = 1, part = "head", who = "ann (lab)", taken = 0.5 })
  writer:put("lock_end", { id = 1, given = 1.5, how = "handed", to_whom = "bob" })
  writer:finish { duration = 2, outcome = "finished" }
  t:equal(writer:close(), true)
  local db = assert(store.open(path))
  t:equal(db:query "SELECT lost_rows FROM runs", { { lost_rows = 0 } })
  t:equal(db:query
    [[SELECT a.name, o.command, o.t, a.t_first_motion, a.t_done, a.outcome, a.error_class, s.how
    FROM actions a LEFT JOIN operator o ON o.run = a.run AND o.id = a.operator_row
    LEFT JOIN operators s ON s.run = a.run AND s.id = a.operator ORDER BY a.id]], {
    { name = "play", command = "play", t = 0.01, t_first_motion = 0.03, t_done = 1.01, outcome = "done",
      error_class = "late", how = "left" },
    { name = "lua", t_done = 0.02, outcome = "refused" } })
  t:equal(db:query "SELECT round(person_ms) AS p, round(applied_ms) AS a, round(moved_ms) AS m FROM \z
    operator_latency WHERE id = 1", { { p = 5.0, a = 4.0, m = 24.0 } })
  t:equal(db:query "SELECT part, given, how, to_whom FROM locks",
    { { part = "head", given = 1.5, how = "handed", to_whom = "bob" } })
  db:close()
end)
