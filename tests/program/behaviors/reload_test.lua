--- Hot reload of a running program: saves as editors make them, their record in the store, and the commands
--- that list versions and restore one.
package.path = arg[0]:match "^(.*)/" .. "/../?.lua;" .. package.path
local harness = require "harness"
local stalls = require "stalls"
local uv = require "luv"
local test, brio, files = harness.test, harness.brio, harness.files

local text = [[
local brio = require "brio"
local want = brio.want
local made = brio.behavior "made" { robot = "pepper", start = "calm", memory = { n = 0 } }
made.calm = { wants = { want.joint_match { joint = "HeadYaw", goal = 0.2 } } }
made.power_off = { lasts = 0.1 }
return made
]]

--- The start of the previous change, and the longest time in which a save left its file half written, s: on a
--- busy machine pauses are longer than intended.
local began_last, pause

local function begin_save() began_last, pause = nil, 0 end

--- Change a file, or several in one go.
local function change(action)
  local began = uv.hrtime() / 1e9
  action()
  pause = math.max(pause or 0, uv.hrtime() / 1e9 - (began_last or began))
  began_last = began
end

local function put(path, content, mode)
  change(function()
    local handle = assert(io.open(path, mode or "w"))
    handle:write(content)
    handle:close()
  end)
end

--- Upper bound of how long the engine waits for a half-written file before it reports a fault, s.
local patience = 0.12

--- Whether the machine was so slow that the engine may have refused the save since `begin_save`.
local function was_late() return pause > patience end

--- The ways in which editors save.  The engine should notice the pauses in them.
local saves = {
  { "in place", function(path, content) put(path, content) end },
  { "by renaming over", function(path, content)
    put(path .. ".new", content)
    os.rename(path .. ".new", path)
  end },
  { "with a backup", function(path, content)
    change(function() os.rename(path, path .. "~") end)
    put(path, content)
  end },
  { "by deleting and creating", function(path, content)
    change(function() os.remove(path) end)
    harness.sleep(0.02)
    put(path, content)
  end },
  { "in two halves", function(path, content)
    put(path, content:sub(1, #content // 2))
    harness.sleep(0.03)
    put(path, content:sub(#content // 2 + 1), "a")
  end },
  { "emptied first", function(path, content)
    put(path, "")
    harness.sleep(0.05)
    put(path, content)
  end },
  { "in pieces over 200 ms", function(path, content)
    put(path, "")
    for n = 0, 4 do
      put(path, content:sub(#content * n // 5 + 1, #content * (n + 1) // 5), "a")
      if n < 4 then harness.sleep(0.05) end
    end
  end },
  { "by turning a link", function(path, content)
    local folder = path:match "^(.*)/"
    os.execute("mkdir -p " .. folder .. "/stored")
    local name = ("%d%d.lua"):format(#content, os.time())
    put(folder .. "/stored/" .. name, content)
    os.execute(("ln -s stored/%s %s.link && mv -T %s.link %s"):format(name, path, path, path))
  end },
  { "through a link", function(path, content) -- to wherever the one before left it
    change(function()
      os.execute(("[ -L %s ] || { mv %s %s.real; ln -s made.lua.real %s; }"):format(path, path, path, path))
    end)
    put(path, content)
  end },
}

--- Wait until the output of `process` matches `pattern`.  Return the match.
local function wait_for(process, pattern)
  return harness.await_output(process, "~" .. pattern):match(pattern)
end

--- The output of a process, without messages about stalls of the machine.
local function said_by(process)
  local lines = {}
  for line in harness.output_of(process):gmatch "[^\n]+" do
    if not stalls.tells(line) then lines[#lines + 1] = line end
  end
  return table.concat(lines, "\n")
end

--- Start a run of a file and wait until it moves.
local function start(folder, content, ...)
  local path = folder .. "/made.lua"
  files.write(path, content or text)
  local process = harness.start_brio("run", path, "--store", folder .. "/x.db", "--quiet", ...)
  process.path, process.store = path, folder .. "/x.db"
  harness.await_row(process.store, "select count(*) > 20 from solves",
    { seen = function() return harness.output_of(process) end })
  return process
end

local function stop(process)
  harness.signal(process, "INT")
  return harness.wait(process)
end

local function hash_of(process, content)
  local query = "select substr(hash, 1, 8) from versions where source = '%s'"
  return harness.sql(process.store, query:format(content:gsub("'", "''")))
end

--- Check the store of a run in which `saved` versions were accepted, and `late` saves may have been refused.
local function check_store(t, store, saved, late)
  t:equal(harness.number(store, "select count(*) from versions"), saved + 2, "versions, and the robot's")
  t:equal(harness.sql(store, "select count(*) from run_versions where t > 0"), tostring(saved),
    "versions that ran")
  t:equal(harness.sql(store, "select count(*) from states where state = 'calm'"), "1", "stays in the state")
  local faults = "select group_concat(message, '; ') from faults where severity = '%s' and "
    .. "not (source = 'motors' and " .. stalls.sql:gsub("%%", "%%%%") .. ")"
  t:equal(harness.sql(store, faults:format "error"), "", "faults")
  local refused = harness.sql(store, faults:format "warning")
  t:check(refused == "" or late > 0, "no save left its file for %g s, and this was refused: %s", patience,
    refused)
end

--- Save repeatedly, in all ways in turn, and compare the result with the expected one.
local function save_and_look(t, rounds, ...)
  local process = start(t:folder(), nil, ...)
  local took, late = {}, 0
  for n = 1, rounds do
    local save = saves[n % #saves + 1]
    local known = #harness.output_of(process)
    begin_save()
    save[2](process.path, text .. "-- save " .. n .. "\n")
    if was_late() then late = late + 1 end
    local how = harness.await("saved " .. save[1] .. ": what was saved to run", function()
      return harness.output_of(process):sub(known + 1):match "runs in place of %x+([^\n]*)\n"
    end, { seen = function() return harness.output_of(process):sub(known + 1) end })
    -- a save before the watch began has no time
    took[#took + 1] = tonumber(how:match "([%d.]+) ms") or 0
  end
  harness.go_on(process.store, 0.3)
  local code, out = stop(process)
  t:equal(code, 0, "exit code")
  t:check(late > 0 or not out:find "not taken", "something was refused: %s", out)
  table.sort(took)
  print(("# save to first tick of the new version: p50 %.1f ms, p99 %.1f ms, of %d saves (seed 0, scale %g)")
    :format(took[(#took + 1) // 2] or 0, took[math.max(1, math.ceil(#took * 0.99))] or 0, #took,
      harness.scale))
  check_store(t, process.store, #took, late)
end

test("a save is taken over however an editor saves, and the rest is left alone", function(t)
  save_and_look(t, math.floor(45 * math.min(harness.scale, 4)))
end)

test("where a file system tells nothing, the files are looked at again and again", function(t)
  save_and_look(t, 18, "--watch", "poll")
  local wrong = brio("run", "made.lua", "--watch", "always")
  t:code(wrong, 2)
  t:has(wrong.err, "--watch must be events or poll")
end)

test("a touch does nothing, a bad file says why, and mended it goes on", function(t)
  local process = start(t:folder())
  os.execute("touch " .. files.quote(process.path))
  harness.go_on(process.store, 0.5)
  t:equal(said_by(process), "", "output after a touch")
  local late = 0
  local function save(content)
    begin_save()
    put(process.path, content)
    if was_late() then late = late + 1 end
  end
  save(text .. "oops(")
  local why = "made%.lua was not taken, version %x+ runs on: [^\n]*made%.lua:7"
  t:check(wait_for(process, why), "said %s", harness.output_of(process))
  save(text)
  t:check(wait_for(process, "is running already"), "said %s", harness.output_of(process))
  save((text:gsub("HeadYaw", "HeadJaw")))
  t:check(wait_for(process, "no joint 'HeadJaw'"), "said %s", harness.output_of(process))
  os.remove(process.path)
  t:check(wait_for(process, "it is gone"), "said %s", harness.output_of(process))
  save(text .. "-- back\n")
  t:check(wait_for(process, "runs in place of"), "said %s", harness.output_of(process))
  t:equal(stop(process), 0, "exit code")
  local faults = "select count(*) from faults where severity = 'warning' and version is null and source \z
    like '%made.lua'"
  local refused = harness.number(process.store, faults) or 0
  t:check(refused >= 3 and refused <= 3 + late, "%d refusals, of three; %d saves took too long", refused,
    late)
end)

test("a module and what requires it change together or not at all", function(t)
  local folder = t:folder()
  files.write(folder .. "/parts.lua", "return { goal = 0.2 }\n")
  local whole = text:gsub("local want", 'local parts = require "parts"\nlocal want', 1):gsub("goal = 0.2",
    "goal = parts.goal")
  local process = start(folder, whole)
  put(folder .. "/parts.lua", "return { goal = 0.3 }\n")
  t:check(wait_for(process, "runs in place of"), "said %s", harness.output_of(process))
  put(folder .. "/parts.lua", "return { aim = 0.3 }\n")
  t:check(wait_for(process, "was not taken"), "said %s", harness.output_of(process))
  put(process.path, (whole:gsub("parts%.goal", "parts.aim")))
  t:check(wait_for(process, "was not taken.*runs in place of"), "said %s", harness.output_of(process))
  t:equal(stop(process), 0, "exit code")
  local of_module = "select count(*) from run_versions where name like '%parts.lua'"
  t:equal(harness.sql(process.store, of_module), "3", "versions of the module")
end)

test("files saved one after the other, that fit only together, change together", function(t)
  local folder = t:folder()
  local module = folder .. "/parts.lua"
  local function whole(n)
    return (text:gsub("local want", 'local parts = require "parts"\nlocal want', 1):gsub("goal = 0.2",
      "goal = parts.goal" .. n))
  end
  files.write(module, "return { goal0 = 0.2 }\n")
  local process, late = start(folder, whole(0)), 0
  for n = 1, 8 do
    local known = #harness.output_of(process)
    local saves_of = { function() put(module, ("return { goal%d = 0.2 }\n"):format(n)) end,
                       function() put(process.path, whole(n)) end }
    begin_save()
    saves_of[n % 2 + 1]()
    harness.sleep(n % 4 * 0.025) -- a person saves one after the other
    saves_of[2 - n % 2]()
    if was_late() then late = late + 1 end
    harness.await(("pair %d to run"):format(n), function()
      return harness.output_of(process):sub(known + 1):find "runs in place of"
    end, { seen = function() return harness.output_of(process):sub(known + 1) end })
  end
  local code, out = stop(process)
  t:equal(code, 0, "exit code")
  t:check(late > 0 or not out:find "not taken", "one without the other was tried aloud: %s", out)
  t:equal(harness.sql(process.store, "select count(*) from run_versions where t > 0"), "16", "versions")
end)

test("a file that becomes a folder, or cannot be read, changes nothing", function(t)
  local process = start(t:folder())
  os.remove(process.path)
  os.execute("mkdir " .. process.path)
  t:check(wait_for(process, "was not taken"), "said %s", harness.output_of(process))
  os.execute("rmdir " .. process.path)
  put(process.path, text .. "-- 1\n")
  t:check(wait_for(process, "runs in place of"), "said %s", harness.output_of(process))
  local known = #harness.output_of(process)
  os.execute(("ln -s nowhere %s.link && mv -T %s.link %s"):format(process.path, process.path, process.path))
  t:check(wait_for(process, "runs in place of.*was not taken"), "said %s", harness.output_of(process))
  os.remove(process.path)
  put(process.path, text .. "-- 2\n")
  os.rename(process.path, process.path .. ".away")
  harness.sleep(0.05) -- an editor that moves a file away and back
  os.rename(process.path .. ".away", process.path)
  t:check(wait_for(process, "runs in place of.*runs in place of"), "said %s",
    harness.output_of(process):sub(known))
  t:equal(stop(process), 0, "exit code")
end)

test("on the fast clock files are taken over when asked for", function(t)
  local folder = t:folder()
  local path = folder .. "/made.lua"
  files.write(path, text)
  local process = harness.start_brio("run", path, "--store", "none", "--quiet", "--clock", "fast", "--reload",
    "--for", 100000)
  harness.ready(process)
  -- It does not report when it has read the file, and runs what was saved before that.  So the file is saved
  -- again.
  local saved = 0
  harness.await("a save to be taken over", function()
    saved = saved + 1
    put(path, text .. "-- changed " .. saved .. "\n")
    harness.sleep(0.5)
    return harness.output_of(process):find "runs in place of"
  end, { seen = function() return harness.output_of(process) end })
  harness.signal(process, "INT")
  t:equal(harness.wait(process), 0, "exit code")
end)

test("what fails is rolled back, versions are listed and compared, and one comes back", function(t)
  local process = start(t:folder())
  local second = text:gsub("goal = 0.2", "goal = 0.3")
  put(process.path, second)
  t:check(wait_for(process, "runs in place of"), "said %s", harness.output_of(process))
  harness.go_on(process.store, 1.2)
  put(process.path, (second:gsub("calm = {", "calm = { tick = function() error('ouch') end,", 1)))
  t:check(wait_for(process, "rolled back to"), "said %s", harness.output_of(process))
  harness.await_row(process.store,
    "select count(*) from run_versions join versions using (hash) where source like '%ouch%'")
  local back = brio("rollback", process.path, "--store", process.store)
  t:code(back, 0)
  t:equal(files.read(process.path), second, "the file")
  t:code(brio("rollback", process.path, "--store", process.store), 0)
  t:equal(files.read(process.path), text, "the file")
  local first_hash, second_hash = hash_of(process, text), hash_of(process, second)
  local last = "select substr(hash, 1, 8) from run_versions order by id desc limit 1"
  harness.await_row(process.store, ("select (%s) = '%s'"):format(last, first_hash))
  t:equal(stop(process), 0, "exit code")
  t:equal(harness.sql(process.store, last), first_hash, "what ran last")
  local list = brio("history", "versions", "--store", process.store)
  t:code(list, 0)
  t:check(list.out:find "rolled back: [^\n]*ouch", "no reason in %s", list.out)
  local changes = brio("diff", first_hash, second_hash, "--store", process.store)
  t:code(changes, 0)
  local shown = '\n-made.calm = { wants = { want.joint_match { joint = "HeadYaw", goal = 0.2 } } \z
    }\n+made.calm'
  t:check(changes.out:find(shown, 1, true), "diff says %s", changes.out)
  t:code(brio("diff", "ffffffffffff", first_hash, "--store", process.store), 1)
  t:code(brio("rollback", process.path, "xyz", "--store", process.store), 1)
  t:code(brio("rollback"), 2)
end)

test("reloads can be turned off", function(t)
  local process = start(t:folder(), nil, "--no-reload")
  put(process.path, text .. "-- changed\n")
  harness.go_on(process.store, 0.6)
  t:equal(stop(process), 0, "exit code")
  t:equal(harness.number(process.store, "select count(*) from versions"), 2, "versions, and the robot's")
end)

harness.done()
