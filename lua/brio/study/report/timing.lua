--- Figures of wizards' actions, a row for each session: their times, and their errors.
local counted, plots = require "brio.study.counted_sessions", require "brio.study.report.plots"

local timing = {}

--- The sessions of rows in the order of participants and places: a list of { label, key }, and their indices
--- by key.
local function sessions_of(rows)
  local list, by_key = {}, {}
  for _, row in ipairs(rows) do
    if not by_key[row.session] then
      list[#list + 1] = { key = row.session, label = ("%s, %s"):format(row.participant, row.condition),
        sort = ("%s %06d %012d"):format(row.participant, row.ordinal or 0, row.session) }
      by_key[row.session] = list[#list]
    end
  end
  table.sort(list, function(a, b) return a.sort < b.sort end)
  for place, one in ipairs(list) do by_key[one.key] = place end
  return list, by_key
end

--- The wizards of rows with a color each, those of the study first; `others` share one.
local function wizards_of(study, rows)
  local seen, names, legend, color = {}, {}, {}, {}
  for _, row in ipairs(rows) do seen[study.found.wizards[row.wizard or false] and row.wizard
    or "others"] = true end
  for name in next, seen do names[#names + 1] = name end
  table.sort(names)
  for index, name in ipairs(names) do legend[index], color[name] = { name, index }, index end
  return legend, function(name) return color[name] or color.others end
end

--- The same as a table, by wizard and condition.
function timing.table(study, rows)
  local list, by = {}, {}
  for _, row in ipairs(rows) do
    if row.person_s then
      local name = study.found.wizards[row.wizard or false] and row.wizard or "others"
      local key = ("%s\0%s"):format(name, row.condition or "")
      if not by[key] then
        by[key] = { key = key, name = name, condition = row.condition, times = {} }
        list[#list + 1] = by[key]
      end
      table.insert(by[key].times, row.person_s)
    end
  end
  table.sort(list, function(a, b) return a.key < b.key end)
  local cells = {}
  for index, one in ipairs(list) do
    table.sort(one.times)
    cells[index] = { one.name, one.condition, #one.times, ("%.2f"):format(counted.median(one.times)),
      ("%.2f"):format(counted.quantile(one.times, 0.9)), ("%.2f"):format(one.times[#one.times]) }
  end
  return { { "wizard", "condition", "actions", "median (s)", "90 % within (s)", "at most (s)" }, cells,
    "Time from cue to key" }
end

--- Time of each action from its cue to the key. `rows`: { session, participant, ordinal, condition, wizard,
--- person_s }.
function timing.picture(study, rows)
  local with_cue = {}
  for _, row in ipairs(rows) do
    if row.person_s and row.participant then with_cue[#with_cue + 1] = row end
  end
  local sessions, place = sessions_of(with_cue)
  local legend, color = wizards_of(study, with_cue)
  local limit = study.found.late_after
  local spec = { title = "Time from cue to key, by session", axis = "time from cue to key (s)", from = 0,
    to = limit or 1,
    rows = {}, legend = legend, mark = limit and { limit, ("late after %g s"):format(limit) } or nil }
  for index, one in ipairs(sessions) do spec.rows[index] = { label = one.label, points = {}, colors = {} } end
  for _, row in ipairs(with_cue) do
    local one = spec.rows[place[row.session]]
    one.points[#one.points + 1], one.colors[#one.colors + 1] = row.person_s, color(row.wizard)
    spec.from, spec.to = math.min(spec.from, row.person_s), math.max(spec.to, row.person_s)
  end
  spec.to = spec.to + 0.05 * (spec.to - spec.from)
  return { picture = plots.dots(spec), caption =
    ("A dot is one action with a cue, %d in all; colors are wizards.%s"):format(
    #with_cue, limit and
      " Where a step of the script says a limit of its own, that one holds instead of the line." or "") }
end

--- Errors of each kind in each session that counts, including sessions without any.
function timing.errors(study, kinds)
  local rows = counted.rows(study.db, study.found.id, [[SELECT DISTINCT n.session, n.participant, n.ordinal,
    n.condition
    FROM counted n WHERE n.run IS NOT NULL AND n.participant IS NOT NULL]])
  local found = counted.rows(study.db, study.found.id, [[SELECT n.session, e.error, count(*) AS times
    FROM counted n JOIN wizard_errors e ON e.run = n.run GROUP BY 1, 2]])
  local sessions, place = sessions_of(rows)
  local spec, index_of = { title = "Wizards' errors, by session", axis = "errors", rows = {}, legend = {} },
    {}
  for index, kind in ipairs(kinds) do spec.legend[index], index_of[kind] = { kind, index }, index end
  for index, one in ipairs(sessions) do
    spec.rows[index] = { label = one.label, parts = {} }
    for kind = 1, #kinds do spec.rows[index].parts[kind] = 0 end
  end
  for _, row in ipairs(found) do
    local one = spec.rows[place[row.session]]
    if one then one.parts[index_of[row.error]] = row.times end
  end
  return { picture = plots.bars(spec), caption =
    ("Errors of all wizards in %d sessions; the number is their sum."):format(
    #sessions) }
end

return timing
