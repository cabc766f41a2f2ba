--- The events of a run in words, read from a run store that brio.store opened.
local store = require "brio.store"

local history = {}

--- The name that people use for a behavior's file: "kiosk" for "behaviors/kiosk.lua".
local function short(path)
  return path and (path:match "([^/]+)%.lua$" or path) or "a behavior"
end

--- Mark a run that has no end, but whose process is known to have ended, as killed.
local function judged(run)
  if run.outcome == "runs" and store.ended(run.process) then run.outcome = "killed" end
  run.process = nil
  return run
end

--- All runs, or those of a list of numbers, oldest first: rows of the view run_summary.  nil, sentence,
--- code on failure.
function history.runs(db, list)
  local of = list and ("WHERE run IN (%s)"):format(table.concat(list, ",")) or ""
  local runs, why, code = db:query(("SELECT * FROM run_summary %s ORDER BY run"):format(of))
  if not runs then return nil, why, code end
  for _, run in ipairs(runs) do judged(run) end
  return runs, why
end

--- One run by its number, or the last one (nil or "last").  nil, sentence, code if there is none.
function history.run(db, number)
  local rows, why, code
  if number == nil or number == "last" then
    rows, why, code = db:query "SELECT * FROM run_summary WHERE run = (SELECT max(id) FROM runs)"
  else
    rows, why, code = db:query("SELECT * FROM run_summary WHERE run = ?", number)
  end
  if not rows then return nil, why, code end
  if rows[1] then return judged(rows[1]) end
  local named = number and number ~= "last"
  return nil, named and ("there is no run %d"):format(number) or "no run was recorded yet", "no_file"
end

--- Merge consecutive items with equal sentences into one item with a count.
local function fold(items)
  local folded = {}
  for _, item in ipairs(items) do
    local before = folded[#folded]
    if before and before.sentence == item.sentence and before.kind == item.kind then
      before.times, before.last = before.times + 1, item.t
    else
      item.times, item.last = 1, item.t
      folded[#folded + 1] = item
    end
  end
  return folded
end

--- What happened, in order: a list of {t, kind, sentence, times, last}.  `kind` is 'version', 'operator',
--- 'event', 'start', 'state', 'fault', 'end' or 'note'.  Repeated items are merged into one, from t to
--- last.
function history.story(db, run)
  local items, why, code = db:query("SELECT t, kind, sentence FROM story WHERE run = ? ORDER BY place", run)
  if not items then return nil, why, code end
  return fold(items)
end

--- An item of the story as a line: "  12.40 s  kiosk: idle -> greeting, because person_appeared (ann)".
function history.line(item)
  local again = item.times > 1 and (" (%d times, until %.2f s)"):format(item.times, item.last) or ""
  return ("%8.2f s  %s%s"):format(item.t, item.sentence, again)
end

local function counted(number, one, many)
  if number == 0 then return "no " .. many end
  return ("%d %s"):format(number, number == 1 and one or many)
end

local how_it_ended = { runs = "still running", killed = "killed, so it never ended" }

--- A run in one line.
function history.summary(run)
  local parts = { ("run %d: %s on %s"):format(run.run, short(run.behavior), run.robot or "no robot") }
  if run.seed then parts[#parts + 1] = "seed " .. run.seed end
  if run.duration then parts[#parts + 1] = ("%.2f s"):format(run.duration) end
  if run.ticks then parts[#parts + 1] = counted(run.ticks, "tick", "ticks") end
  local reason = run.reason and (" (%s)"):format(run.reason) or ""
  parts[#parts + 1] = (how_it_ended[run.outcome] or run.outcome) .. reason
  parts[#parts + 1] = counted(run.faults, "fault", "faults")
  if run.lost_rows > 0 then
    parts[#parts + 1] = counted(run.lost_rows, "row", "rows") .. " of this record lost"
  end
  return table.concat(parts, ", ")
end

--- The versions of files that ran: rows of the view version_story, of one run or of all.
function history.versions(db, run)
  return db:query("SELECT run, t, until, name, version, replaces, bytes, faults, what FROM version_story"
    .. " WHERE ?1 IS NULL OR run = ?1 ORDER BY run, t, place", run or store.null)
end

--- SQL condition: the name of a file in the store and the name that a person gave (?2) are equal, or one is
--- the end of the other.
local of_file = "(name = ?2 OR substr(name, -length(?2) - 1) = '/' || ?2 OR substr(?2, -length(name) - 1) = \z
  '/' || name)"

--- The text of a version, {hash, source}, byte for byte.  If it is not UTF-8, `source` has U+FFFD in place
--- of the invalid bytes, and the table `files` has the original bytes.
function history.exact(db, version)
  if store.hash(version.source) == version.hash then return version.source end
  local rows = db:query("SELECT bytes FROM files WHERE hash = ? AND bytes IS NOT NULL", version.hash)
  return rows and rows[1] and rows[1].bytes or version.source
end

--- The version whose hash begins with `hash`, {hash, name, source}; among those of `file` if it is given.
--- nil, sentence if there is none, or more than one.
function history.version(db, hash, file)
  if not hash:match "^%x+$" then
    return nil, ("'%s' is no hash of a version: see `brio history versions`"):format(hash)
  end
  local rows, why = db:query("SELECT hash, name, source FROM versions WHERE substr(hash, 1, length(?1)) = ?1"
    .. " AND (?2 IS NULL OR " .. of_file .. ") LIMIT 2", hash:lower(), file or store.null)
  if not rows then return nil, why end
  if #rows == 1 then
    rows[1].source = history.exact(db, rows[1])
    return rows[1]
  end
  local many = #rows > 1 and "more than one version begins" or "no version that ran begins"
  return nil, ("%s with '%s'%s"):format(many, hash, file and " among those of " .. file or "")
end

--- The item to which "undo" goes back from `now`.  `list`: the items {key =, failed =} that were in effect,
--- oldest first; `now`: the key of the current one.  Failed items do not count.  An item equal to the one
--- before the last is an undo and removes a step; any other item, however old, adds a step.
function history.before(list, now)
  local steps = {}
  for _, item in ipairs(list) do
    local last, before = steps[#steps], steps[#steps - 1]
    if before and before.key == item.key then
      steps[#steps] = nil
    elseif not item.failed and not (last and last.key == item.key) then
      steps[#steps + 1] = item
    end
  end
  local at = #steps
  while at > 0 and steps[at].key ~= now do at = at - 1 end
  return steps[(at > 0 and at or #steps + 1) - 1]
end

--- The version of `file` that ran before the one whose text is `text`, except versions that were rolled
--- back automatically; nil, sentence if there is none.
function history.version_before(db, file, text)
  local rows, why = db:query("SELECT u.hash AS key, EXISTS (SELECT 1 FROM events e WHERE e.run = u.run AND \z
    e.name ="
    .. " 'rolled_back' AND json_extract(e.data, '$.from') = substr(u.hash, 1, 12)) AS failed FROM \z
      run_versions u"
    .. " WHERE ?1 IS NULL AND " .. of_file .. " ORDER BY u.run, u.id", store.null, file)
  if not rows then return nil, why end
  for _, row in ipairs(rows) do row.failed = row.failed == 1 end
  local found = history.before(rows, text and store.hash(text))
  if found then return history.version(db, found.key, file) end
  return nil, ("no other version of %s ran before"):format(file)
end

return history
