--- Runs shipped behaviors on the emulator of every driver, and counts alarms: none has a cause.
---
---     lua5.4 tests/alarms.lua                        all pairs, an hour of robot time in total
---     lua5.4 tests/alarms.lua --seconds 60           each for so long
---     lua5.4 tests/alarms.lua --total 7200           s of robot time in total
---     lua5.4 tests/alarms.lua --at-once 8            runs at the same time (3 for each core)
---     lua5.4 tests/alarms.lua --behavior kiosk --emulator sts      may be given several times
---
--- Prints a table of behaviors and emulators: s of robot time, and after "!" the number of alarms; "-": the
--- robot does not fit the device.  Exit code 1: an alarm, or a run that failed.  On the real clock: see
--- tests/program/devices/shipped.lua.  On a busy machine use fewer runs at once.
local here = arg[0]:match "^(.*)/[^/]*$" or "."
package.path = ("%s/program/?.lua;%s/lib/?.lua;"):format(here, here) .. package.path

local harness = require "harness"
local shipped = require "devices.shipped"
local uv = require "luv"

--- Numbers and lists of the command line; anything else is an error that says what is expected.
local function options_of(words)
  local options = { behavior = {}, emulator = {} }
  local numbers = { ["--seconds"] = "seconds", ["--total"] = "total", ["--at-once"] = "at_once" }
  for i = 1, #words, 2 do
    local word, value = words[i], words[i + 1]
    local list = options[word:match "^%-%-(.*)$"]
    if numbers[word] then
      local number = tonumber(value)
      if not number or not (number > 0) then
        error(("%s takes a number above 0, not %s"):format(word, tostring(value)), 0)
      end
      options[numbers[word]] = number
    elseif type(list) == "table" and value then list[#list + 1] = value
    else
      local known = "--seconds, --total, --at-once, --behavior and --emulator take a value each"
      error(("unknown option '%s': %s"):format(word, known), 0)
    end
  end
  return options
end

--- The entries of `all` that are wanted: all if none is named.  `name_of`: of an entry.
local function chosen(all, names, what, name_of)
  if #names == 0 then return all end
  local known, list, have = {}, {}, {}
  for _, entry in ipairs(all) do known[name_of(entry)] = entry have[#have + 1] = name_of(entry) end
  for _, name in ipairs(names) do
    list[#list + 1] = known[name] or
      error(("there is no %s '%s': %s"):format(what, name, table.concat(have, ", ")), 0)
  end
  return list
end

--- A cell: seconds, and what was wrong.
local function cell(one)
  if not one or one.refused then return "-" end
  if one.code ~= 0 then return "failed" end
  local text = ("%.0f"):format(one.played)
  return #one.alarms > 0 and ("%s !%d"):format(text, #one.alarms) or text
end

--- The table, columns as wide as their longest entry.
local function show(behaviors, kinds, ended)
  local rows = { { "s" } }
  for _, kind in ipairs(kinds) do table.insert(rows[1], kind.name) end
  for _, behavior in ipairs(behaviors) do
    local row = { behavior }
    for _, kind in ipairs(kinds) do row[#row + 1] = cell(ended[behavior .. " on " .. kind.name]) end
    rows[#rows + 1] = row
  end
  for column = 1, #kinds + 1 do
    local width = 0
    for _, row in ipairs(rows) do width = math.max(width, #row[column]) end
    for _, row in ipairs(rows) do
      local pad = (" "):rep(width - #row[column])
      row[column] = column == 1 and row[column] .. pad or pad .. row[column]
    end
  end
  for _, row in ipairs(rows) do print(table.concat(row, "  ")) end
end

local function main()
  local options = options_of(arg)
  local behaviors = chosen(shipped.behaviors(), options.behavior, "behavior", function(name) return name end)
  local kinds = chosen(shipped.kinds, options.emulator, "emulator", function(kind) return kind.name end)
  local list = shipped.pairs(behaviors, kinds)
  if #list == 0 then error("no robot of these behaviors fits these emulators", 0) end
  local ended, played, alarms, failed = {}, 0, 0, 0
  local at_once = math.floor(options.at_once or 3 * uv.available_parallelism())

  --- Play each of a list for so long; return those that fit, which are all but the first time.
  local function round(seconds)
    local fit = {}
    print(("%d pairs, %.1f s each, %d at once"):format(#list, seconds, at_once))
    shipped.play(list, { seconds = seconds, at_once = at_once }, function(one)
      local before = ended[one.name]
      ended[one.name] = one
      if one.refused then return end
      fit[#fit + 1] = { kind = one.kind, behavior = one.behavior }
      alarms = alarms + #one.alarms
      if one.code == 0 then played = played + seconds
      else
        failed = failed + 1
        print(("%s: ended with code %s: %s"):format(one.name, one.code, one.said:sub(-500)))
      end
      for _, line in ipairs(one.alarms) do print(("%s: %s"):format(one.name, line)) end
      one.played = (before and before.played or 0) + seconds
      if before then table.move(before.alarms, 1, #before.alarms, #one.alarms + 1, one.alarms) end
    end)
    list = fit
  end

  if options.seconds then round(options.seconds)
  else
    -- Boards refuse some robots, so the total is reached in a second round, of those that fit.
    local total = options.total or 3600
    round(total / #list)
    if #list > 0 and total - played > 1 then round((total - played) / #list) end
  end
  show(behaviors, kinds, ended)
  print(("%.0f s of robot time, %d alarms, %d runs failed"):format(played, alarms, failed))
  return alarms + failed == 0
end

-- Whatever happens, no engine or emulator is left behind.
local went, good = xpcall(main, function(why)
  return type(why) == "string" and why:find("^[^\n]*%.lua:%d+:") and debug.traceback(why, 2) or why
end)
harness.end_started()
if not went then io.stderr:write("alarms: ", tostring(good), "\n") end
os.exit(went and good)
