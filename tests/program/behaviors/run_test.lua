--- `brio run`: a run and its record, repeated runs, failures and interrupts.
package.path = arg[0]:match "^(.*)/" .. "/../?.lua;" .. package.path
local harness = require "harness"
local test, brio, files = harness.test, harness.brio, harness.files

local head = 'local brio = require "brio"\nlocal want = brio.want\n'

local calm = head .. [[
local made = brio.behavior "made" { robot = "pepper", start = "calm" }
made.calm = { wants = { want.joint_match { joint = "HeadYaw", goal = 0.2 } } }
made.power_off = { wants = { want.joint_match { joint = "HeadYaw", goal = 0 } }, lasts = 0.3 }
return made
]]

local function written(t, text)
  local file = t:folder() .. "/made.lua"
  files.write(file, text)
  return file
end

local function kiosk(store, ...)
  return brio("run", "behaviors/kiosk.lua", "--clock", "fast", "--store", store, ...)
end

local recorded, records = {}, files.temporary()

--- Run the kiosk for this many seconds, once for all tests that only read the record; return the store and
--- the run.
local function record_of(seconds)
  local store = ("%s/%g.db"):format(records, seconds)
  recorded[seconds] = recorded[seconds] or kiosk(store, "--for", seconds, "--robot", "pepper")
  return store, recorded[seconds]
end

--- Every table as text, without the columns that the schema marks as measured.
local function dump(store)
  local queries = {}
  local columns = harness.sql(store, [[select m.name || '|' || c.name || '|' || hex(m.sql)
    from sqlite_master m, pragma_table_info(m.name) c
    where m.type = 'table' and m.name not like 'sqlite_%' order by m.name, c.cid]])
  local kept, order = {}, {}
  for name, column, schema in columns:gmatch "([^|\n]+)|([^|\n]+)|(%x+)" do
    schema = schema:gsub("%x%x", function(pair) return string.char(tonumber(pair, 16)) end)
    if not kept[name] then kept[name], order[#order + 1] = {}, name end
    local mark = "[\n,(]%s*" .. column .. "%s[^\n]*%[measured%]"
    local measured = column == "uuid" or ("\n" .. schema):find(mark)
    if not measured then table.insert(kept[name], '"' .. column .. '"') end
  end
  for i, name in ipairs(order) do
    local list = #kept[name] > 0 and table.concat(kept[name], ", ") or "count(*)"
    queries[i] = ("select '%s'; select %s from \"%s\";"):format(name, list, name)
  end
  queries[#queries + 1] = "select run, tick, t, status, cost, iterations, evaluations, active, distance "
    .. "from solves;"
  return assert(harness.sql(store, table.concat(queries, "\n")))
end

local function first_difference(a, b)
  local line = 0
  local of_b = b:gmatch "([^\n]*)\n?"
  for text in a:gmatch "([^\n]*)\n?" do
    line = line + 1
    local other = of_b()
    if text ~= other then
      return ("line %d: %s | %s"):format(line, text:sub(1, 200), tostring(other):sub(1, 200))
    end
  end
  return "nothing"
end

test("a robot too large for a solver is refused with the reason", function(t)
  local folder, parts = t:folder(), { '<robot name="large"><link name="l0"/>' }
  for i = 1, 1001 do
    parts[#parts + 1] = ('<link name="l%d"/><joint name="j%d" type="continuous"><parent link="l0"/><child \z
      link="l%d"/></joint>')
      :format(i, i, i)
  end
  files.write(folder .. "/large.urdf", table.concat(parts) .. "</robot>")
  local file = written(t, calm)
  for _, run in ipairs { brio("run", file, "--robot", folder .. "/large.urdf", "--for", 1, "--clock", "fast"),
                         brio("check", file, "--robot", folder .. "/large.urdf") } do
    t:code(run, 3)
    t:has(run.text, "1001 numbers that move")
    t:check(not run.text:find "traceback", "%s", run.text)
  end
end)

test("five seconds of the kiosk leave a whole record", function(t)
  local store, run = record_of(5)
  if not t:code(run, 0) then return end
  t:equal(harness.sql(store, "select count(*) from runs"), "1", "count of runs")
  t:equal(harness.sql(store, "pragma integrity_check"), "ok", "integrity")
  t:equal(harness.sql(store, "select outcome from runs"), "finished", "outcome")
  t:equal(harness.sql(store, "select clock from runs"), "fast", "clock")
  t:check(harness.number(store, "select duration from runs") >= 5, "duration %s",
    harness.sql(store, "select duration from runs"))
  t:check(harness.number(store, "select count(*) from solves") >= 1000, "fewer solves than ticks")
  t:equal(harness.sql(store,
    "select count(*) = count(distinct tick) and max(tick) - min(tick) + 1 = count(*) from solves"),
          "1", "every tick is there once")
  t:check(harness.number(store, "select count(*) from states") >= 2, "too few states")
  t:check(harness.number(store, "select count(*) from samples") > 1000, "too few samples")
  t:check(harness.number(store, "select count(*) from events") >= 1, "no event")
  t:equal(harness.sql(store, "select count(*) from faults"), "0", "count of faults")
  t:equal(harness.sql(store, "select count(*) from versions where source like '%brio.behavior%'"), "1",
    "versions")
  t:equal(harness.sql(store, "select lost_rows from runs"), "0", "lost rows")
end)

test("every table and view that is promised opens in the stock sqlite3", function(t)
  local store = record_of(5)
  for _, name in ipairs { "runs", "versions", "activations", "states", "events", "operator", "solves",
                          "faults", "samples" } do
    local count, why = harness.number(store, "select count(*) from " .. name), nil
    t:check(count, "%s cannot be read: %s", name, tostring(why))
  end
  local views = harness.sql(store, "select name from sqlite_master where type = 'view'") or ""
  for view in views:gmatch "[^\n]+" do
    local _, why = harness.sql(store, ('select * from "%s"'):format(view))
    t:check(not why, "view %s: %s", view, tostring(why))
  end
  t:check(harness.number(store, "pragma user_version") > 0, "the schema has no version")
end)

test("the kiosk moves within the robot's limits, smoothly and without touching itself", function(t)
  local store = record_of(10)
  t:equal(harness.sql(store, "select count(*) from solves where distance < 0"), "0", "ticks in collision")
  local moved = harness.number(store, [[select count(*) from (
    select dof from samples where command is not null group by dof having max(command) - min(command) > 0.01)]])
  t:check(moved and moved >= 2, "only %s joints moved", tostring(moved))
end)

test("history tells the story of a run", function(t)
  local store = record_of(5)
  local run = brio("history", "--store", store)
  t:code(run, 0)
  t:has(run.out, "kiosk")
  for state in harness.sql(store, "select distinct state from states"):gmatch "[^\n]+" do
    t:has(run.out, state)
  end
  t:code(brio("history", "--store", t:folder() .. "/none.db"), 1)
  run = brio("history", "--store", store, "--json")
  t:check(harness.is_json(run.out), "no JSON: %s", run.out:sub(1, 300))
end)

test("sql answers as a table and as JSON, and refuses nonsense", function(t)
  local store = record_of(5)
  local run = brio("sql", "select count(*) as many, 'ü' as text from runs", "--store", store)
  t:code(run, 0)
  t:has(run.out, "many")
  t:has(run.out, "ü")
  run = brio("sql", "select id, robot, null as empty from runs", "--store", store, "--json")
  t:code(run, 0)
  t:check(harness.is_json(run.out), "no JSON: %s", run.out)
  t:has(run.out, "null")
  local count = "with recursive n(i) as (select 1 union all select i + 1 from n"
  run = brio("sql", count .. " where i < 5) select i from n", "--rows", 2, "--store", store)
  t:equal(run.out, "i\n-\n1\n2\n(the first 2 rows)\n")
  t:code(brio("sql", "select 1", "--rows", "many", "--store", store), 2)
  run = brio("sql", count .. ") select count(*) from n", "--timeout", 0.05, "--store", store)
  t:code(run, 1)
  t:has(run.err, "the query took longer than 0.05 s and was stopped")
  run = brio("sql", "selec 1", "--store", store)
  t:check(run.code == 1 or run.code == 2, "exit code %s", tostring(run.code))
  t:has(run.err, "syntax error")
  t:check(brio("sql", "delete from runs", "--store", store).code ~= 0, "sql deleted runs")
  t:equal(harness.sql(store, "select count(*) from runs"), "1", "count of runs after a delete")
end)

test("two runs with one seed are equal bit for bit, a third with another is not", function(t)
  local folder = t:folder()
  local a, b, c = folder .. "/a.db", folder .. "/b.db", folder .. "/c.db"
  kiosk(a, "--for", 5, "--seed", 7)
  kiosk(b, "--for", 5, "--seed", 7)
  kiosk(c, "--for", 5, "--seed", 8)
  local hash = harness.sql(a, "select commands_hash from runs")
  t:check(hash and #hash >= 8, "commands_hash is %s", tostring(hash))
  t:equal(harness.sql(b, "select commands_hash from runs"), hash, "commands_hash of the second run")
  t:check(harness.sql(c, "select commands_hash from runs") ~= hash, "another seed gave the same commands")
  local of_a, of_b = dump(a), dump(b)
  t:check(#of_a > 10000, "the dump is only %d bytes", #of_a)
  t:check(of_a == of_b, "the stores differ in %s", first_difference(of_a, of_b))
end)

test("runs add up in one store", function(t)
  local store = t:folder() .. "/x.db"
  for _ = 1, 3 do t:code(kiosk(store, "--for", 0.5), 0) end
  t:equal(harness.sql(store, "select count(*), count(distinct id) from runs"), "3|3", "runs")
  t:equal(harness.sql(store, "select count(*) from versions where source like '%brio.behavior%'"), "1",
    "versions")
end)

test("with the real clock a run takes its time", function(t)
  local file = written(t, calm)
  local run = brio("run", file, "--for", 0.5, "--clock", "real")
  t:code(run, 0)
  t:check(run.seconds >= 0.5, "took %.2f s", run.seconds) -- robot time never runs ahead of the clock
end)

test("with the real clock a sample has the time of its command, so speeds are those of the motion",
function(t)
  local store = t:folder() .. "/x.db"
  local text = head .. [[
local function to(self) return 0.4 * math.sin(4 * self.now) end
local b = brio.behavior "b" { robot = "pepper", start = "sways" }
b.sways = { wants = { brio.want.joint_match { joint = "HeadYaw", goal = to } } }
return b
]]
  t:code(brio("run", written(t, text), "--for", 1, "--clock", "real", "--store", store), 0)
  local asked = brio("sql", "--csv", "--store", store,
    [[WITH s AS (SELECT t, t - lag(t) OVER w AS dt, command - lag(command) OVER w
    AS way FROM samples(1, 'HeadYaw') WINDOW w AS (ORDER BY tick)) SELECT min(dt) AS least, sum(dt > 3e-3 AND
    (abs(way) - 2e-6) / dt > 8) AS fast, sum(abs(t * 200 - round(t * 200)) > 1e-3) AS off FROM s]]).out
  local least, fast, off = asked:match "\n([^,]+),([^,]+),([^,\r\n]+)"
  least, fast, off = tonumber(least), tonumber(fast), tonumber(off)
  t:check(least > 0, "the times of samples rise")
  t:check(off > 0, "no sample has another time than its tick")
  -- The head's speed is 7.34 rad/s at most; a machine that stalls may read the clock late.
  t:check(fast <= 2, "%d samples of a head that goes faster than 8 rad/s", fast)
end)

test("ten seconds with the fast clock take far less", function(t)
  local store, run = record_of(10)
  t:code(run, 0)
  -- Time is counted in the robot's ticks: none is missed, on any machine.
  t:equal(harness.sql(store, "select clock from runs"), "fast", "clock")
  t:check(harness.number(store, "select duration from runs") >= 10, "all of the ten seconds")
  t:check(harness.number(store, "select count(*) from solves") >= 2000, "all of the ticks")
end)

test("a behavior that fails ends with its traceback and a fault in the record", function(t)
  local text = head .. [[
local made = brio.behavior "made" { robot = "pepper", start = "calm" }
local function slip(self) return self.memory.nothing.at_all end
made.calm = { tick = function(self)
  if self.now > 0.5 then slip(self) end
end }
return made
]]
  local store = t:folder() .. "/x.db"
  local run = brio("run", written(t, text), "--for", 2, "--clock", "fast", "--store", store)
  t:code(run, 3)
  t:has(run.err, "made.lua:4:")
  t:has(run.err, "stack traceback")
  t:has(run.err, "nothing")
  t:equal(harness.sql(store, "select outcome from runs"), "failed", "outcome")
  t:equal(harness.sql(store,
    "select count(*) from faults where severity = 'error' and message like '%made.lua:4:%'"), "1",
          "faults of the slip")
  t:equal(harness.sql(store, "select count(*) from faults where detail like '%stack traceback%'"), "1",
    "tracebacks")
  t:check((harness.number(store, "select t from faults") or 0) > 0.4, "the fault has no time")
end)

test("a failing behavior falls back to what it calls safe", function(t)
  local text = head .. [[
local made = brio.behavior "made" { robot = "pepper", start = "calm", safe = "rest" }
made.calm = { after = { 0.3, "wild" } }
made.wild = { enter = function() error "too wild" end }
made.rest = {}
return made
]]
  local store = t:folder() .. "/x.db"
  local run = brio("run", written(t, text), "--for", 1, "--clock", "fast", "--store", store)
  t:code(run, 3)
  t:has(run.err, "too wild")
  t:equal(harness.sql(store, "select count(*) from states where state = 'rest'"), "1", "stays in rest")
  t:check((harness.number(store, "select max(t) from solves") or 0) > 0.9, "the run did not go on")
end)

test("a behavior that never ends a tick is stopped, the engine goes on", function(t)
  for _, loop in ipairs { "while true do end", "while true do pcall(error) end",
                          "local function f() return f() end f()",
                          "coroutine.wrap(function() while true do end end)()" } do
    local text = head .. [[
local made = brio.behavior "made" { robot = "pepper", start = "calm" }
made.calm = { tick = function(self) if self.now > 0.2 then LOOP end end }
return made
]]
    local store = t:folder() .. "/x.db"
    local file = written(t, (text:gsub("LOOP", loop)))
    local run = brio("run", file, "--for", 1, "--clock", "fast", "--store", store)
    t:code(run, 3)
    t:equal(harness.sql(store, "select outcome from runs"), "failed", "outcome with " .. loop)
    t:check((harness.number(store, "select max(t) from solves") or 0) > 0.9, "the run did not go on after %s",
      loop)
  end
end)

test("a behavior that eats memory is stopped before the machine is", function(t)
  local text = head .. [[
local made = brio.behavior "made" { robot = "pepper", start = "calm", memory = { list = {} } }
made.calm = { tick = function(self) if self.now > 0.2 then
  local s = "x" while true do s = s .. s self.memory.list[#self.memory.list + 1] = s end
end end }
return made
]]
  local limited = "ulimit -v 3000000; exec " .. files.quote(harness.program)
    .. " run " .. files.quote(written(t, text)) .. " --for 1 --clock fast"
  local run = harness.run(limited)
  t:code(run, 3)
  t:check(run.err:find "memory" or run.err:find "budget", "it was not said why: %s", run.err:sub(1, 400))
end)

test("a file with a fault does not start, and says where", function(t)
  local run = brio("run", written(t, (calm:gsub("HeadYaw", "HeadYew", 1))), "--for", 1, "--clock", "fast")
  t:code(run, 3)
  t:has(run.err, "made.lua:4:")
  t:has(run.err, "did you mean 'HeadYaw'")
  run = brio("run", written(t, "return {\n  x = = 2\n}\n"), "--for", 1, "--clock", "fast")
  t:code(run, 3)
  t:has(run.err, "made.lua:2:")
end)

test("a physics that there is not is refused; the one that there is needs its library", function(t)
  local file = written(t, calm)
  local run = brio("run", file, "--physics", "bullet", "--for", 1, "--clock", "fast", "--store", "none")
  t:code(run, 2)
  t:has(run.err, "--physics must be none or mujoco, not 'bullet'")
  t:code(brio("run", file, "--physics", "none", "--for", 1, "--clock", "fast", "--store", "none"), 0)
  run = brio("run", file, "--physics", "mujoco", "--for", 1, "--clock", "fast", "--store", "none")
  t:has(run.err, run.code == 0 and "physics: 2 links that move" or "install the Debian package libmujoco-dev")
end)

test("an unknown robot is named, with the one meant", function(t)
  local run = brio("run", written(t, calm), "--robot", "peper", "--for", 1, "--clock", "fast")
  t:check(run.code == 1 or run.code == 2, "exit code %s", tostring(run.code))
  t:has(run.err, "peper")
  t:has(run.err, "did you mean 'pepper'")
end)

test("a store that cannot be written is named, and a stranger's file is left alone", function(t)
  local folder = t:folder()
  local file = written(t, calm)
  local run = brio("run", file, "--for", 0.2, "--clock", "fast", "--store", folder .. "/no/such/x.db")
  t:code(run, 1)
  t:has(run.err, "no/such/x.db")
  files.write(folder .. "/letter.txt", "Dear reader,\n")
  run = brio("run", file, "--for", 0.2, "--clock", "fast", "--store", folder .. "/letter.txt")
  t:code(run, 1)
  t:has(run.err, "letter.txt")
  t:equal(files.read(folder .. "/letter.txt"), "Dear reader,\n", "the stranger's file")
  t:code(brio("run", file, "--for", 0.2, "--clock", "fast", "--store", folder), 1)
end)

test("a world file brings visitors, and a wrong one is named", function(t)
  local folder = t:folder()
  files.write(folder .. "/bad.lua", "return {\n  people = = {}\n}\n")
  local run = brio("run", written(t, calm), "--world", folder .. "/bad.lua", "--for", 0.2, "--clock", "fast")
  t:check(run.code == 1 or run.code == 3, "exit code %s", tostring(run.code))
  t:has(run.err, "bad.lua:2:")
  run = brio("run", written(t, calm), "--world", folder .. "/none.lua", "--for", 0.2, "--clock", "fast")
  t:code(run, 1)
  t:has(run.err, "none.lua")
end)

test("every run is recorded in brio.db, unless a person says otherwise", function(t)
  local file = written(t, calm)
  local folder = t:folder()
  t:code(brio("run", file, "--for", 0.2, "--clock", "fast", "--store", "none", { cwd = folder }), 0)
  t:equal(#files.lines("find " .. folder .. " -type f"), 0, "files left")
  t:code(brio("run", file, "--for", 0.2, "--clock", "fast", { cwd = folder }), 0)
  t:equal(table.concat(files.lines("find " .. folder .. " -type f -printf '%f\\n'"), " "), "brio.db",
    "files left")
end)

test("--json ends with one line for programs", function(t)
  local run = brio("run", written(t, calm), "--for", 0.5, "--clock", "fast", "--json")
  t:code(run, 0)
  local last = run.out:match "([^\n]+)\n?$" or ""
  t:check(harness.is_json(last), "no JSON: %s", run.out:sub(1, 400))
  t:has(last, '"outcome":"finished"')
end)

test("--log silent keeps quiet of what the behavior says", function(t)
  local text = calm:gsub("made.calm = {", 'made.calm = { enter = function(self) self:log("here I am") end,')
  local file = written(t, text)
  t:has(brio("run", file, "--for", 0.2, "--clock", "fast").text, "here I am")
  t:check(not brio("run", file, "--for", 0.2, "--clock", "fast", "--log", "silent").text:find "here I am",
    "it spoke")
end)

for _, signal in ipairs { "INT", "TERM" } do
  test("SIG" .. signal .. " ends a run through its power-off state", function(t)
    local store = t:folder() .. "/x.db"
    local process = harness.start_brio("run", written(t, calm), "--store", store)
    harness.await_row(store, "select count(*) from states where state = 'calm'")
    harness.signal(process, signal)
    local code, text = harness.wait(process)
    t:equal(code, 0, "exit code (" .. text .. ")")
    t:equal(harness.sql(store, "select outcome from runs"), "stopped", "outcome")
    t:equal(harness.sql(store,
      "select count(*) from states where state = 'power_off' and left_at - entered >= 0.25"), "1",
            "stays in power_off")
    t:equal(harness.sql(store, "select count(*) from states where left_at is null"), "0", "states never left")
    t:equal(harness.sql(store, "pragma integrity_check"), "ok", "integrity")
  end)
end

test("a second interrupt ends a power-off that takes too long", function(t)
  local text, store = calm:gsub("lasts = 0.3", "lasts = 20"), t:folder() .. "/x.db"
  local process = harness.start_brio("run", written(t, text), "--store", store)
  harness.await_row(store, "select count(*) from states where state = 'calm'")
  harness.signal(process, "INT")
  harness.await_row(store, "select count(*) from states where state = 'power_off'")
  harness.signal(process, "INT")
  t:check(harness.wait(process) ~= nil, "it still runs long after the second interrupt")
  local stayed = harness.number(store,
    "select max(t) - (select entered from states where state = 'power_off') from solves")
  t:check(stayed and stayed < 19, "power-off went on for %s s of 20", tostring(stayed)) -- of the robot's time
end)

files.remove(records)
harness.done()
