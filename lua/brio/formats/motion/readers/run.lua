--- Run stores: the measured motion of a recorded run, for example of a robot that was guided by hand. A DOF
--- without measurements has its commands.
---
--- `--clip` selects the run and its part: "3" or "kiosk" is a run (docs/analysis/runs.md), "3@12-15.5" a span
--- of it from 12 to 15.5 s; the default is the last run.
local clip = require "brio.formats.clip"
local names = require "brio.lib.run_names"
local store = require "brio.store"

local run = { name = "run", extensions = { "db", "sqlite" },
  doc = "what a robot was measured to do in a recorded run" }

function run.sniff(text) return text:sub(1, 16) == "SQLite format 3\0" end

--- The selected part: number of the run, beginning and end, s.
local function chosen(db, options)
  local said = tostring(options.clip or "last")
  local word, from, to = said:match "^(.-)@(%d+%.?%d*)%-(%d+%.?%d*)$"
  word = word or not said:find "@" and said
  local number = word and (names.number(word) or word ~= "last" and names.newest(db, word)) or nil
  if word ~= "last" and not number then
    clip.fail("--clip", "'%s' must be the number of a run, last, or a name of a behavior or robot, with its \z
      seconds or without:"
      .. " 3, 3@12-15.5, kiosk@2-4", said)
  end
  local runs, why = db:query "SELECT id AS run FROM runs r WHERE EXISTS (SELECT 1 FROM samples WHERE run = \z
    r.id) ORDER BY id"
  if not runs then clip.fail("it", "is no run store: %s", why) end
  local list, found = {}, nil
  for index, row in ipairs(runs) do
    list[index] = tostring(row.run)
    if row.run == number or not number and index == #runs then found = row.run end
  end
  if not found then
    local there = ("has no run %s: there are %s"):format(word, table.concat(list, ", "))
    clip.fail("it", "%s", #list == 0 and "has no samples" or there)
  end
  return found, tonumber(from) or 0, tonumber(to) or 1e9
end

function run.read(_, options)
  local db, why = store.open(options.file)
  if not db then clip.fail("it", "cannot be opened: %s", why) end
  local good, result = pcall(function()
    local number, from, to = chosen(db, options)
    local tracks, known, count, first = {}, {}, 0, nil
    for row in db:rows("SELECT t, name, coalesce(measured, command) AS value FROM samples"
        .. " WHERE run = ? AND t >= ? AND t <= ? ORDER BY tick, dof", number, from, to) do
      first = first or row.t
      local track = known[row.name]
      if not track then
        track = { name = row.name, keys = {} }
        known[row.name], tracks[#tracks + 1] = track, track
      end
      if row.value then track.keys[#track.keys + 1], count = { row.t - first, row.value }, count + 1 end
      if count > clip.most_keys then
        clip.fail("it", "more than %d numbers: select a part of the run", clip.most_keys)
      end
    end
    if count == 0 then clip.fail("run " .. number, "has no samples from %g to %g s", from, to) end
    return clip.joints { tracks = tracks, notes = {} }
  end)
  db:close()
  if not good then error(result, 0) end
  return result
end

return run
