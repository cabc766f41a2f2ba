--- brio replay: runs on both clocks are repeated bit for bit from their tapes, with operators' input, changed
--- files, faults, detections and language models; tampering is reported.
local here = debug.getinfo(1, "S").source:match "^@(.*)/[^/]*$"
package.path = here .. "/../../lib/?.lua;" .. package.path
require "brio"
local replay = require "brio.replay"
local store = require "brio.store"
local talks = require "talks"

local behavior, count, replayed, said = talks.behavior, talks.count, talks.replayed, talks.said
local talked, talked_ticks, words, written = talks.talked, talks.talked_ticks, talks.words, talks.written

test("a run with people at its prompt is done again bit for bit, on either clock", function(t)
  local file = written(t, "b.lua", behavior())
  local path, run = talked(t, file, nil, 3, words)
  local report = replayed(t, path)
  t:equal(said(report), "equal")
  t:equal({ report.ended, report.ticks }, { true, run.report.ticks })
  t:equal(count(t, path, "SELECT count(*) FROM operator WHERE command = 'emit'"), 1)
  path = talked_ticks(t, file, 500)
  report = replayed(t, path)
  t:equal(said(report), "equal")
  t:equal(report.ended, true)
end)

test("devices that fail are done again, on either clock", function(t)
  local file = written(t, "b.lua", behavior())
  for _, clock in ipairs { "fast", "real" } do
    local path = talked(t, file, { clock = clock, faults = { "unplug simulator at 0.5 for 0.4" } }, 1.6)
    t:equal(said(replayed(t, path)), "equal", clock)
  end
end)

test("changed files are taken over where they were: good ones, refused and rolled back ones, and others by \z
  hand", function(t)
  local file = written(t, "b.lua", behavior())
  local function save(text)
    local out = assert(io.open(file, "w"))
    out:write(text)
    out:close()
  end
  local later = behavior():gsub("goal = %-0.4", "goal = 0.5 + 0.1 * math.random()")
  -- In every state, at its 15th tick: a state that is entered later may be too late to be on trial.
  local late = behavior():gsub("made.rest = {", [[
local function failing(self)
  self.memory.late = (self.memory.late or 0) + 1
  if self.memory.late > 14 then error 'late' end
end
made.rest = { tick = failing,]]):gsub("made.busy = {", "made.busy = { tick = failing,")
  local phase, since, refused = 0, 0, false
  local path, run = talked(t, file, { clock = "real", reload = true }, 600, function(run, tick, say)
    local function next_when(over)
      if over or tick - since > 20000 then phase, since = phase + 1, tick end
    end
    if phase == 0 then
      local refuse = run.reloader.refuse
      run.reloader.refuse = function(...) refused = true return refuse(...) end
    end
    if tick % 90 == 89 then say "emit poke" end
    if phase == 0 then
      save(later)
      next_when(true)
    elseif phase == 1 then
      next_when(#run.reloader.ran == 2)
      if phase == 2 then save "return {" end
    elseif phase == 2 then
      next_when(refused)
      if phase == 3 then save(late) end
    elseif phase == 3 then
      -- A machine that stalls before each tick of the version: its first second passes in ten of them.
      if #run.reloader.ran == 3 then os.execute "sleep 0.12" end
      next_when(#run.reloader.ran >= 4) -- and back
      if phase == 4 then say "rollback" end
    elseif phase == 4 then
      next_when(#run.reloader.ran >= 5)
    elseif tick - since > 60 then
      run.engine:stop "script"
    end
  end)
  save "error 'this is not what ran'"
  t:ok(#run.reloader.ran >= 5, "five versions ran: %d", #run.reloader.ran)
  t:ok(count(t, path, "SELECT count(*) FROM events WHERE name = 'rolled_back'") >= 1, "one was rolled back")
  t:ok(count(t, path, "SELECT count(*) FROM faults WHERE severity = 'warning'") >= 1, "one was refused")
  t:equal(said(replayed(t, path)), "equal")
end)

test("what was tampered with is told, where it is", function(t)
  local path = talked(t, written(t, "b.lua", behavior()), nil, 2, words)
  local function change(sql)
    t:ok(os.execute(("sqlite3 '%s' \"%s\""):format(path, sql)), "sqlite3 is there")
  end
  local id = count(t, path, "SELECT max(id) AS id FROM tapes WHERE tick <= 100")
  change(("UPDATE tapes SET bytes = zeroblob(length(bytes)) WHERE id = %d"):format(id))
  local report = replayed(t, path)
  t:equal(report.equal, false)
  t:match(report.difference.sentence, "damaged")
  t:ok(math.abs(report.difference.tick - 100) <= 12, "it is told near tick 100, in %d",
    report.difference.tick)
  change(("DELETE FROM tapes WHERE id = %d"):format(id))
  report = replayed(t, path)
  t:match(report.difference.sentence, "missing")
  t:ok(math.abs(report.difference.tick - 100) <= 12, "it is told near tick 100, in %d",
    report.difference.tick)
  change "DELETE FROM tapes"
  local made, why = replay.open { store = path }
  t:equal(made, nil)
  t:match(why, "no tape")
end)

test("what differs is told with its DOF, and with what happened otherwise before", function(t)
  local file = written(t, "b.lua", behavior())
  local path = talked(t, file, nil, 1.5, words)
  local changed = behavior():gsub("goal = %-0.4", "goal = -0.5")
  local made = assert(replay.open { store = path, say = function() end, texts = { [file] = changed } })
  local report = made:go()
  made:close()
  t:equal(report.equal, false)
  t:equal(report.difference.dof, "HeadYaw")
  t:ok(report.difference.tick > 100 and report.difference.tick < 220, "it is told at tick %d",
    report.difference.tick)
end)

--- A folder's worth of clouds and a file of detections, ten a second; and the files' names.
local function recordings(t)
  local seen, list, files = t:temporary ".jsonl", t:temporary ".jsonl", {}
  local out, rows = assert(io.open(seen, "w")), assert(io.open(list, "w"))
  for k = 1, 12 do
    out:write(('{"t": %.1f, "detections": [{"class": "cup", "pose": [%g, %g, 0.5]}]}\n'):format(100 + k / 10,
      1 + k / 50, k / 40))
    local path = t:temporary ".pcd"
    local file = assert(io.open(path, "w"))
    file:write("VERSION .7\nFIELDS x y z\nSIZE 4 4 4\nTYPE F F F\nCOUNT 1 1 1\nWIDTH ", k,
      "\nHEIGHT 1\nPOINTS ", k, "\nDATA ascii\n")
    for index = 1, k do file:write(("%g %g 1\n"):format(index, k)) end
    file:close()
    rows:write(('{"t": %.1f, "file": "%s"}\n'):format(50 + k / 10, path))
    files[k] = path
  end
  out:close()
  rows:close()
  files[#files + 1], files[#files + 2] = seen, list
  return seen, list, files
end

test("what detectors, clouds and a language model said is said again, when nobody is there any \z
  more", function(t)
  local stub = dofile(debug.getinfo(1, "S").source:match "^@(.*)/[^/]*$" .. "/../../lib/stub.lua")
  local server = stub.new(function()
    return stub.answer(200, store.json { choices = { { message = { role = "assistant", content = "yes" },
                                                       finish_reason = "stop" } } })
  end)
  local seen, list, files = recordings(t)
  local file = written(t, "s.lua", [[
local brio = require "brio"
local want = brio.want
local made = brio.behavior "made" { robot = "pepper", start = "asks", memory = { x = 0 } }
local moves = { want.joint_match { joint = "HeadYaw", goal = function(self) return self.memory.x end, weight = 20 } }
made.asks = { wants = moves, tree = { "ask_model", prompt = "Is it open?", matcher = "yes" }, on = { tree_done = "looks" } }
made.looks = {
  wants = moves,
  on = { cup_appeared = function(self) self.memory.x = self.memory.x + 0.1 end },
  when = { function(self)
    local depth = self:cloud "depth"
    if depth then self.memory.x = 0.02 * #depth + 0.001 * depth:point(1)[2] end
    for _, thing in ipairs(self.scene:objects()) do self.memory.x = self.memory.x + 0.1 * thing.position[2] end
    return false
  end, "asks" },
}
return made
]])
  local path, run = talked(t, file,
    { detections = { "eye=file:" .. seen }, clouds = { "depth=file:" .. list },
    model = { url = server.url, name = "m" } }, 1.5)
  server:close()
  t:ok(run.host.self.memory.x > 0.1, "the behavior looked: %g", run.host.self.memory.x)
  for _, name in ipairs(files) do os.remove(name) end
  local made = assert(replay.open { store = path, say = function() end })
  local report = made:go()
  t:equal(said(report), "equal")
  t:equal(made.run.host.self.memory.x, run.host.self.memory.x)
  made:close()
end)

local grid_user = [[
local brio = require "brio"
local want = brio.want
local made = brio.behavior "made" { robot = "pepper", start = "looks", memory = { x = 0 }, character = { map = { grid = true } } }
made.looks = {
  wants = { want.joint_match { joint = "HeadYaw", goal = function(self) return self.memory.x end, weight = 20 } },
  when = { function(self)
    local depth = self:cloud "depth"
    if depth then
      self.map:scan({ position = { 0, 0, 0.5 }, orientation = { 0, 0, 0, 1 } }, depth)
      self.memory.x = 0.01 * #depth + 1e-4 * self.map:grid():info().free OTHER
    end
    return false
  end, "looks" },
}
return made
]]

test("clouds that were kept are whole in a replay: in grids, and for what nobody asked of them; copies and \z
  prunes carry them", function(t)
  local merge, prune, side = require "brio.analysis.upkeep.merge", require "brio.analysis.upkeep.prune",
    require "brio.record.side_files"
  local _, list, files = recordings(t)
  local file = written(t, "g.lua", (grid_user:gsub("OTHER", "")))
  local plain_path = talked(t, file, { clouds = { "depth=file:" .. list } }, 1.5)
  local path, run = talked(t, file, { clouds = { "depth=file:" .. list }, keep_clouds = true }, 1.5)
  t:ok(run.host.self.memory.x > 0.1, "the behavior looked: %g", run.host.self.memory.x)
  for _, name in ipairs(files) do os.remove(name) end
  t:equal(count(t, path, "SELECT count(*) FROM kept_clouds JOIN files USING(hash)"), 12)
  t:equal(said(replayed(t, path)), "equal")
  t:match(table.concat(replayed(t, plain_path).remarks, "; "),
    "only runs that are recorded with %-%-keep%-clouds are exact")
  local other = written(t, "other.lua",
    (grid_user:gsub("OTHER", "+ depth:voxels(0.5):point(1)[1] + 0.001 * depth:point(1)[2]")))
  local made = assert(replay.open { store = path, with = { other }, say = function() end })
  made:go()
  t:ok(made.run.host.self.memory.x > run.host.self.memory.x + 0.5, "it sees what it asks: %g",
    made.run.host.self.memory.x)
  made:close()
  local into = t:temporary ".db"
  assert(store.record(into)):close()
  local report = assert(merge.into(into, path))
  t:equal({ report.files, report.missing }, { 12, 0 })
  t:equal(said(replayed(t, into)), "equal")
  local hash = count(t, into, "SELECT min(hash) FROM files WHERE path IS NOT NULL")
  local out = assert(io.open(side.folder(into) .. "/" .. hash, "a"))
  out:write "!"
  out:close()
  report = replayed(t, into)
  t:equal(report.equal, false)
  t:match(table.concat(report.remarks, "; "), "not beside the store any more: " .. hash)
  for _, store_path in ipairs { into, path } do
    t:equal(assert(prune.store(store_path, { done = true })).files, 12)
  end
end)

test("another behavior is tried with the same inputs", function(t)
  local file = written(t, "b.lua", behavior())
  local path = talked_ticks(t, file, 300, 0.2)
  local other = written(t, "other.lua",
    (behavior():gsub('after = { 0.6, "rest" }', 'after = { 0.2, "rest" }')))
  local result = t:temporary ".db"
  local made = assert(replay.open { store = path, with = { other }, record = result, say = function() end })
  local report = made:go()
  made:close()
  t:equal(report.equal, false)
  local recorded, replayed_at = table.concat(report.others, "; "):match(
    "recorded the state rest, entered at (%d[%d.]*) s .* replayed the state rest, entered at (%d[%d.]*) s ")
  t:near(tonumber(recorded) - tonumber(replayed_at), 0.4, 0.25, "0.6 s in the state, and 0.2 s")
  t:equal(count(t, result, "SELECT json_extract(options, '$.replay_of') FROM runs"), 1)
  -- the machine stalled during the recording: no event of the behavior
  local db = assert(store.change(path))
  assert(db:query "INSERT INTO events(run, id, tick, t, name, source) SELECT run, max(id) + 1, 14, 0.07, \z
    'scripts_silent', 'motors' FROM events GROUP BY run")
  db:close()
  made = assert(replay.open { store = path, with = { file }, say = function() end })
  report = made:go()
  made:close()
  t:equal({ report.equal, report.others }, { true, store.array {} })
  -- a section of it is compared with that section of the record
  local whole = report.events.recorded
  made = assert(replay.open { store = path, with = { file }, say = function() end })
  report = made:go(0.5)
  made:close()
  t:equal({ report.equal, report.others, report.events.recorded == report.events.replayed }, { true,
    store.array {}, true })
  t:ok(report.events.recorded < whole, "%d of %d events", report.events.recorded, whole)
end)

local script = [[
local brio = require "brio"
return brio.session { name = "made", steps = {
  { "first", cue = "emit poke", after = { LONG, "second" } },
  { "second", cue = { "go busy", "say hello" }, after = { 0.2, "third" } },
  { "third", cue = "emit poke", expect = "emit poke", on = { poke = "first" }, after = { 0.7, "first" } },
} }
]]

test("a session script that is saved while it is on is taken over where it was", function(t)
  local desk = written(t, "session.lua", (script:gsub("LONG", "0.4")))
  local since
  local path, run = talked(t, written(t, "b.lua", behavior()), { clock = "real", session = desk }, 30,
    function(run, tick, say)
    local on = run.prompt.desk.session
    if tick == 40 then say "step next" end
    if tick == 60 then
      local out = assert(io.open(desk, "w"))
      out:write((script:gsub("LONG", "0.1")))
      out:close()
    end
    if not since and on.fields.steps[1].after[1] == 0.1 then since = tick end
    if since and tick - since > 150 then run.engine:stop "script" end
  end)
  t:ok(since, "it was taken over")
  t:ok(#run.prompt.desk.session.trail > 2, "its steps went on")
  os.remove(desk)
  t:equal(said(replayed(t, path)), "equal")
end)

local many = [[
local brio = require "brio"
local want = brio.want
local made = brio.behavior "made" { robot = "pepper", start = "rest", memory = { n = 0 }, character = { gaze = true, idle = true } }
made.rest = {
  wants = { want.joint_match { joint = "HeadYaw", goal = function(self) return 0.3 * (self.inputs.stick_left_x or 0) + 0.01 * self.memory.n end,
    weight = 20 } },
  tree = { "loop", { "sequence", { "wait", name = "short", seconds = 0.05 },
    { "action", name = "count", tick = function(self) self.memory.n = self.memory.n + 1 return true end },
    { "wait", name = "long", seconds = 0.05 } } },
  on = { poke = "busy", resumed = "busy" },
}
made.busy = { wants = { want.joint_match { joint = "HeadYaw", goal = -0.4, weight = 20 } }, after = { 0.1, "rest" } }
return made
]]

--- The input of people and their devices in a run of all kinds of things.
local function busy(_, tick, say, pad, track)
  local lines = { [20] = "step next", [60] = "in 0.5 emit poke", [70] = "every 0.3 joint HeadPitch 0.1",
    [80] = "queue emit poke", [150] = "tree set 3 seconds 0.1", [160] = "tree hold", [220] = "tree step",
    [240] = "tree undo", [250] = "tree hold off", [300] = "joint HeadPitch 0.2", [340] = "release",
    [360] = "unqueue 2", [380] = "say hello", [420] = "tree delete 5", [500] = "tree stop 3" }
  if lines[tick] then say(lines[tick]) end
  if tick == 10 then pad("found", 0, 0, 0, 0, 0) end
  if tick > 100 and tick < 200 then pad("axis", 0, tick * 100, -32768, 32767, 0) end
  if tick == 230 then pad("button", 0x130, 1, 0, 0, 0) end
  if tick == 260 then pad("lost", 0, 0, 0, 0, 0) end
  if tick > 280 and tick < 330 and tick % 4 == 0 then
    track(('{"link": "left_hand", "position": [%g, 0.2, 0.9], "seq": %d}'):format(0.2 + tick / 3000, tick))
  end
  if tick == 340 then track "not this" end
end

test("sessions, queues, gamepads, trackers and edits of trees are done again, and runs that went on from \z
  others", function(t)
  local snapshot = require "brio.run.snapshot"
  local file, desk = written(t, "b.lua", many), written(t, "session.lua", (script:gsub("LONG", "0.3")))
  local mapping = assert(require("brio.devices.gamepad").read "standard")
  local options = { session = desk, gamepad = { mapping = mapping }, speak_with = "none", snapshots = 0.5 }
  local path, run = talked(t, file, options, 3, busy)
  t:ok(run.host.self.memory.n > 3, "the tree ran: %d", run.host.self.memory.n)
  t:ok(#run.prompt.desk.session.trail > 3, "so did the session")
  t:equal(said(replayed(t, path)), "equal")
  local saved = assert(snapshot.read(path, "1"))
  local before = saved.state.memory.memory.n
  options.resume, options.start = saved, saved.pose
  path, run = talked(t, file, options, 2, busy)
  t:equal(run.host.self.memory.n > before, true)
  t:equal(said(replayed(t, path)), "equal")
end)

test("a simulated robot of somebody's driver is done again when the driver is another, and when it is \z
  gone", function(t)
  local text = [[
local at, n = {}, 0
return { name = "toy", doc = "A toy.", simulated = true,
  open = function(axes) for i, axis in ipairs(axes) do at[i] = axis.start end return {} end,
  write = function(_, targets) for i, target in ipairs(targets) do at[i] = target or at[i] end end,
  read = function()
    n = n + 1
    local told = {}
    for i, value in ipairs(at) do told[i] = value + NOISE * math.sin(n) end
    return told
  end }
]]
  local driver = written(t, "toy.lua", (text:gsub("NOISE", "0.01")))
  local path = talked(t, written(t, "b.lua", behavior()), { driver = driver }, 0.5)
  t:equal(count(t, path, "SELECT max(abs(measured - command)) > 0.005 FROM samples WHERE name = 'HeadYaw'"),
    1, "its noise")
  local file = assert(io.open(driver, "w"))
  file:write((text:gsub("NOISE", "0.3")))
  file:close()
  t:equal(said(replayed(t, path)), "equal", "another driver")
  os.remove(driver)
  t:equal(said(replayed(t, path)), "equal", "no driver")
end)

test("a policy that led is not needed in a replay, nor is its program", function(t)
  local uv = require "luv"
  local address = t:temporary ".sock"
  local listener, clients = uv.new_pipe(false), {}
  assert(listener:bind(address))
  listener:listen(4, function()
    local client, asked = uv.new_pipe(false), 0
    clients[#clients + 1] = client
    listener:accept(client)
    client:read_start(function(_, bytes)
      if not bytes then return client:close() end
      for _ in bytes:gmatch '"t"' do
        asked = asked + 1
        local answer = asked > 30 and '{"done": true}'
          or ('{"targets": {"HeadYaw": %g}}'):format(0.01 * asked)
        if not client:is_closing() then client:write(answer .. "\n") end
      end
    end)
  end)
  for _, more in ipairs { "", ', command = { "sleep", "60" }' } do
    local how = ('connect = "unix:%s"%s'):format(address, more)
    local path = talked(t, written(t, "b.lua", ([[
local brio = require "brio"
local made = brio.behavior "made" { robot = "pepper", start = "led" }
made.led = { tree = { "sequence", { "policy", policy = "nod", %s, moves = { "HeadYaw" } } }, on = { tree_done = "over" } }
made.over = { wants = { brio.want.joint_match { joint = "HeadYaw", goal = 0.1 } } }
return made
]]):format(how)), { programs = true }, 1)
    t:equal(count(t, path, "SELECT count(*) FROM states WHERE state = 'over'"), 1,
      "it led, and was done: " .. how)
    local known = #clients
    t:equal(said(replayed(t, path)), "equal", how)
    uv.run "nowait"
    t:equal(#clients, known, "nobody connects in a replay")
  end
  listener:close()
end)

test("what operators who are written down said is done again", function(t)
  local operators = require "brio.operator.desk.operators"
  local people = assert(operators.read("@ann\n0.2 emit poke\n+0.3 self.memory.drawn = 0.25\n@bob\nafter \z
    state busy hold\n+0.2 go on\n1.5 stop", "said"))
  local path = talked(t, written(t, "b.lua", behavior()), { operators = people }, 3)
  t:ok(count(t, path, "SELECT count(*) FROM operator WHERE who IN ('ann', 'bob')") >= 4, "both were heard")
  t:equal(count(t, path, "SELECT max(t) FROM solves") < 2, true, "and stopped it")
  t:equal(said(replayed(t, path)), "equal")
end)

test("a long run with people, faults and changed files is done again bit for bit", function(t)
  local seconds = t:long() and 600 or 4
  local file, every = written(t, "b.lua", behavior()), t:long() and 4000 or 250
  local options = { faults = { "unplug simulator at 1 for 0.3", "drop 1% of simulator" }, reload = true }
  local saved, since = 0, 0
  local path, run = talked(t, file, options, seconds, function(run, tick, say)
    words(run, tick % 700, say)
    if tick % 90 == 89 then say "emit poke" end
    if tick % every == every - 200 then
      saved, since = saved + 1, tick
      local out = assert(io.open(file, "w"))
      out:write((behavior():gsub("goal = %-0.4", ("goal = -0.4 - 0.001 * %d"):format(saved))))
      out:close()
    end
    -- until the loader has read it, while the robot goes on: the longer that takes, the slower
    if #run.reloader.ran <= saved then require("luv").sleep(1 + (tick - since) ^ 2 // 50) end
  end)
  t:ok(#run.reloader.ran > saved // 2, "%d versions ran of %d", #run.reloader.ran, saved + 1)
  local report = replayed(t, path)
  t:equal(said(report), "equal")
  t:equal(report.ticks, run.report.ticks)
end)
