--- `brio profile`: where a tick's time goes, by stage and by function of the behavior.
package.path = arg[0]:match "^(.*)/" .. "/../?.lua;" .. package.path
local harness = require "harness"
local test, brio, files = harness.test, harness.brio, harness.files

local stages = { "sense", "scripts", "solve", "command", "slack" } -- "record" with a store

--- The lines below the heading that begins with `word`, up to an empty line.
local function part(text, word)
  return text:match("\n" .. word .. "[^\n]*\n(.-\n)\n") or ""
end

local function sum_of_shares(text)
  local sum = 0
  for share in text:gmatch "([%d.]+) %%\n" do sum = sum + tonumber(share) end
  return sum
end

test("the stages are all of the tick, and the behavior's functions a part of scripts", function(t)
  local run = brio("profile", "behaviors/kiosk.lua", "--for", 3)
  t:code(run, 0)
  local shown = part(run.out, "stage")
  for _, name in ipairs(stages) do
    t:has(shown, "~%f[%w]" .. name .. " +[%d.]+ +[%d.]+ +[%d.]+ +[%d.]+ %%\n")
  end
  t:check(not shown:find "record", "nothing is recorded: %s", shown)
  local of_scripts = part(run.out, "stage of the scripts")
  for _, name in ipairs { "inputs", "states", "character" } do
    t:has(of_scripts, "~%f[%w]" .. name .. " +%d+ +[%d.]+ +[%d.]+ +[%d.]+ %%\n")
  end
  for _, name in ipairs { "detectors", "motions", "desk" } do -- stages that this run does not need
    t:check(not of_scripts:find("%f[%w]" .. name), "no stage '%s': %s", name, of_scripts)
  end
  t:check(math.abs(sum_of_shares(shown) - 100) < 0.5, "the shares add up to %g %%", sum_of_shares(shown))
  local functions = part(run.out, "function")
  t:has(functions, "~idle: when somebody_near +%d+ +[%d.]+ +[%d.]+ +[%d.]+ %%\n")
  local scripts = tonumber(shown:match "scripts[^\n]* ([%d.]+) %%")
  t:check(sum_of_shares(functions) <= scripts + 0.5, "functions %g %%, scripts %g %%",
    sum_of_shares(functions), scripts)
  t:has(part(run.out, "objective"), "~collision_avoidance +1%.0 +1\n")
  for line in run.out:gmatch "[^\n]+" do t:check(utf8.len(line) <= 80, "longer than 80 columns: %s", line) end
end)

local made = [[
local brio = require "brio"
local made = brio.behavior "made" { robot = "pepper", start = "calm" }
made.calm = {
  enter = function() end,
  tick = function() local n = 0 for i = 1, 3000 do n = n + i end end,
  exit = function() end,
  run = function(self)
    self:wait(0.5)
    self:await_until(function(s) return s:elapsed() > 1 end)
    return "eager"
  end,
}
made.eager = { after = { 0.5, function() return "calm" end }, wants = {
  brio.want.joint_match { joint = "HeadYaw", goal = function() return 0.2 end },
} }
return made
]]

--- {calls, mean, most, share} of a function, by "state: name".
local function functions_of(text)
  local found = {}
  for name, calls, mean, most in part(text,
      "function"):gmatch "(%S[^\n]-) +(%d+) +([%d.]+) +([%d.]+) +[%d.]+ %%\n" do
    found[name] = { calls = tonumber(calls), mean = tonumber(mean), most = tonumber(most) }
  end
  return found
end

test("every kind of function is counted with its state, the dearest first", function(t)
  local file = t:folder() .. "/made.lua"
  files.write(file, made)
  local run = brio("profile", file, "--for", 2)
  t:code(run, 0)
  local found = functions_of(run.out)
  for _, name in ipairs { "calm: enter", "calm: tick", "calm: exit", "calm: run", "calm: await_until",
      "eager: after",
    "eager: goal of joint_match" } do
    local row = found[name]
    if t:check(row, "%s is missing:\n%s", name, run.out) then
      t:check(row.calls >= 1 and row.mean <= row.most, "%s: %d calls, %g, %g us", name, row.calls, row.mean,
        row.most)
    end
  end
  t:equal(found["calm: enter"].calls, 2, "calls of calm's enter")
  t:has(part(run.out, "function"), "~^calm: tick ")
end)

test("--json is JSON with the same parts", function(t)
  local run = brio("profile", "behaviors/kiosk.lua", "--for", 1, "--json")
  t:code(run, 0)
  t:check(harness.is_json(run.out), "not JSON: %s", run.out)
  for _, name in ipairs(stages) do t:has(run.out, ('"name":"%s"'):format(name)) end
  for _, key in ipairs { "stages", "functions", "objectives" } do t:has(run.out, ('"%s":[{'):format(key)) end
end)

test("a profiled run does the same as one that is not", function(t)
  local digests, folder = {}, t:folder()
  for _, command in ipairs { "run", "profile" } do
    local store = folder .. "/" .. command .. ".db"
    local run = brio(command, "behaviors/kiosk.lua", "--for", 4, "--clock", "fast", "--seed", 5, "--store",
      store)
    t:code(run, 0)
    t:has(run.err, ("brio: recorded as run 1 in %s\n"):format(store))
    digests[command] = harness.sql(store, "select commands_hash from runs")
  end
  t:check(#(digests.run or "") == 16, "digest '%s'", tostring(digests.run))
  t:equal(digests.profile, digests.run, "the digest of all commands")
end)

test("a behavior that fails is profiled until then", function(t)
  local file = t:folder() .. "/bad.lua"
  files.write(file, (made:gsub("local n = 0",
    "if self.now > 1 then error 'oh' end %0"):gsub("tick = function%(%)", "tick = function(self)")))
  local run = brio("profile", file, "--for", 2)
  t:code(run, 3)
  t:has(run.err, "bad.lua:5: oh")
  t:has(run.out, "calm: tick")
end)

test("wrong use is named", function(t)
  for option, value in pairs { ["--clock"] = "slow", ["--for"] = "-1", ["--seed"] = "1.5" } do
    local run = brio("profile", "behaviors/kiosk.lua", option, value)
    t:code(run, 2)
    t:has(run.err, option)
  end
  t:code(brio "profile", 2)
  t:code(brio("profile", "behaviors/none.lua"), 1)
end)

harness.done()
