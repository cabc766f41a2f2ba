--- Odd words, odd files and odd exits, as a newcomer meets them.
package.path = arg[0]:match "^(.*)/" .. "/../?.lua;" .. package.path
local harness = require "harness"
local stalls = require "stalls"
local test, brio, files = harness.test, harness.brio, harness.files

local folder = files.temporary()

local function write(name, text)
  files.write(folder .. "/" .. name, text)
  return folder .. "/" .. name
end

local plain = write("plain.lua", [[
local brio = require "brio"
local b = brio.behavior "plain" { robot = "ur3e", start = "one" }
b.one = {}
return b
]])

test("a name that is a word of Lua makes a behavior that works", function(t)
  for _, name in ipairs { "end", "brio", "want", "test", "NAME" } do
    t:code(brio("new", name, { cwd = folder }), 0)
    t:code(brio("check", name .. ".lua", { cwd = folder }), 0)
    t:code(brio("test", name .. "_test.lua", { cwd = folder }), 0)
  end
end)

test("new for a robot that does not exist writes nothing", function(t)
  local run = brio("new", "nowhere", "--robot", "nope", { cwd = folder })
  t:code(run, 1)
  t:has(run.err, "there is no robot 'nope'")
  t:equal(files.read(folder .. "/nowhere.lua"), nil)
end)

test("check goes on after a file that cannot be read", function(t)
  local run = brio("check", write("half.lua", "return {"), folder .. "/none.lua", plain)
  t:code(run, 1)
  t:has(run.out, "half.lua:1: ")
  t:has(run.out, "plain.lua: good")
  t:has(run.err, "cannot open")
  t:has(brio("check", "--json", plain).out, '"faults":[]')
end)

test("check reads the world that a behavior names", function(t)
  write("stage.lua", "return { people = { { id = 'a', path = { { 2, 0, 1 }, { 1, 0, 1 } } } } }")
  local run = brio("check", write("staged.lua",
    (files.read(plain):gsub('start = "one"', '%0, world = "stage.lua"'))))
  t:code(run, 3)
  t:has(run.out, "stage.lua: 'a': point 2 of its walk")
end)

test("a world is named beside the behavior, or by its whole path", function(t)
  local world = write("room.lua", "return { people = { { id = 'bea', path = { { 0, 1, 0 } } } } }")
  for _, name in ipairs { "room.lua", world } do
    local file = write("roomy.lua",
      (files.read(plain):gsub('start = "one"', ('%%0, world = "%s"'):format(name))))
    t:has(brio("check", file).out, "roomy.lua: good")
    t:code(brio("run", file, "--for", 0.1, "--clock", "fast"), 0)
  end
end)

test("a world that says something else than it seems to is refused", function(t)
  for text, expected in pairs {
    ["people = { 5 }"] = "must be a table, not number",
    ["people = { ann = { id = 'ann', path = { { 0, 1, 0 } } } }"] = "people must be a list",
    ["people = { id = 'ann', path = { { 0, 1, 0 } } }"] = "people must be a list",
    ["sensor = 5"] = "the world's sensor must be a table, not number",
  } do
    local run = brio("run", plain, "--for", 0.1, "--clock", "fast", "--world",
      write("w.lua", "return { " .. text .. " }"))
    t:code(run, 1)
    t:has(run.err, expected)
    t:has(run.err, "w.lua: ")
  end
end)

test("no test at all is no success", function(t)
  local run = brio("test", write("empty_test.lua", ""))
  t:code(run, 3)
  t:has(run.err, "there was no test")
  t:has(brio("test", write("raised_test.lua", "error { a = 1 }")).out, "raised { a = 1 }")
end)

test("what a test asserts in an odd way is said in its words", function(t)
  local run = brio("test", write("odd_test.lua", [[
test("any error", function(t) t:raises(error) end)
test("none", function(t) t:raises(function() end) end)
test("a sign", function(t) t:ok(false, "100% sure") t:fail "50%" end)
test("no pattern", function(t) t:match("text") end)
test("a table", function(t) t:raises(error, {}) end)
test("a misspelled function", function(t) t:raises(string.formt, "attempt") end)
test("no tolerance", function(t) t:near(1, 1) end)
]]))
  t:code(run, 3)
  for _, piece in ipairs { "ok any error", "nothing was raised, expected an error", ": 100% sure", ": 50%",
    "t:match expects a pattern, not a nil", "t:raises expects a pattern, not a table",
    "t:raises expects a function that it calls, not a nil",
      "t:near expects a tolerance" } do
    t:has(run.out, piece)
  end
  t:has(run.out, "1 passed, 6 failed")
end)

test("output that cannot be written is a failure, a reader that went away is none", function(t)
  local store = folder .. "/out.db"
  t:code(brio("run", plain, "--for", 0.1, "--clock", "fast", "--store", store), 0)
  local line = files.quote(harness.program) .. " sql 'select * from solves' --store " .. files.quote(store)
  local full = harness.run(line .. " >/dev/full")
  t:code(full, 1)
  t:has(full.err, "not all of the output could be written")
  local closed = harness.run("{ " .. line .. "; echo code $? >&2; } | head -1")
  t:has(closed.err, "code 0")
end)

test("a closed terminal ends a run as Ctrl-C does", function(t)
  local store = folder .. "/hangup.db"
  local process = harness.start_brio("run", plain, "--store", store, "--quiet")
  harness.await_row(store, "select count(*) from states where state = 'one'")
  harness.signal(process, "HUP")
  local code = harness.wait(process)
  t:equal(code, 0, "exit code")
  t:equal(harness.sql(store, "select outcome, reason from runs"), "stopped|signal")
end)

test("a second Ctrl-C does not wait for power-off", function(t)
  local stuck = write("stuck.lua", (files.read(plain):gsub("return b\n$", [[
b.power_off = { run = function(self) self:await("never") end }
return b
]])))
  local store = folder .. "/stuck.db"
  local process = harness.start_brio("run", stuck, "--quiet", "--store", store)
  harness.await_row(store, "select count(*) from states where state = 'one'")
  harness.signal(process, "INT")
  harness.await_row(store, "select count(*) from states where state = 'power_off'")
  harness.signal(process, "INT")
  t:equal(harness.wait(process), 0, "exit code")
  -- A power-off may last 30 s of the robot's time.
  local stayed = harness.number(store,
    "select max(t) - (select entered from states where state = 'power_off') from solves")
  t:check(stayed and stayed < 29, "power-off went on for %s s", tostring(stayed))
end)

test("a script's behavior repeats from process to process, whatever it does with tables and \z
  texts", function(t)
  local odd = write("odd.lua", [[
local brio = require "brio"
local want = brio.want
local b = brio.behavior "odd" { robot = "ur3e", start = "one" }
local function order(self)
  local t, sum, place = { [print] = 1, [{ 1 }] = 2, [true] = 3 }, 0, 0
  for i = 1, 20 do t["key" .. self:random()], t[math.random(1000)] = i, i end
  for _, value in pairs(t) do place = place + 1 sum = sum + value * place end
  return sum % 100 / 100
end
b.one = {
  wants = { want.joint_match { joint = "elbow_joint", goal = order } },
  tick = function(self)
    if self:every(0.1) then self:emit("told", ("%s %s"):format({}, tostring(print)) .. order(self)) end
    if self.now > 0.8 then error { print } end
  end,
}
return b
]])
  local function run(name, seed)
    local store = folder .. "/" .. name
    t:code(brio("run", odd, "--for", 1, "--clock", "fast", "--seed", seed, "--store", store), 3)
    return harness.sql(store, "select commands_hash from runs"),
      harness.sql(store, "select t, name, data from events"),
        harness.sql(store, "select message, detail from faults")
  end
  local hash, events, faults = run("a.db", 1)
  local hash2, events2, faults2 = run("b.db", 1)
  t:equal(hash2, hash, "commands")
  t:equal(events2, events, "events")
  t:equal(faults2, faults, "faults")
  t:equal(faults:match "0x%x%x%x%x%x%x%x%x", nil, "an address: " .. faults)
  t:check(run("c.db", 2) ~= hash, "another seed moves alike")
end)

test("the status line stays one line on a narrow terminal", function(t)
  if harness.run("script -qc true /dev/null").code ~= 0 then
    t:skip("script (bsdutils) or a pseudo-terminal is missing")
  end
  local long = write("long.lua", (files.read(plain):gsub("one", ("state_with_a_long_name_"):rep(4))))
  local run = harness.run(("script -qc %s /dev/null"):format(
    files.quote("stty cols 40; " .. files.quote(harness.program) .. " run " .. files.quote(long)
      .. " --for 1 --store " .. folder .. "/tty.db")))
  t:has(run.out, "\r\27[K\27[?7l")
  local left = {}
  for line in run.out:gmatch "([^\n]*)\n" do
    if not line:find("recorded as run 1 in", 1, true) and not stalls.tells(line) then
      left[#left + 1] = line
    end
  end
  t:equal(table.concat(left, "\n"), "", "lines left behind")
end)

files.remove(folder)
harness.done()
