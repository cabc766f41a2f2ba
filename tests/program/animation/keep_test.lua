--- `brio keep` and `brio liven`: a piece of a run as a sequence, and its noise as liveliness.
package.path = arg[0]:match "^(.*)/" .. "/../?.lua;" .. package.path
local harness = require "harness"
local test, brio = harness.test, harness.brio

local folder = harness.files.temporary()
local store = folder .. "/run.db"

-- Head and hip wander; an arm moves once.
harness.files.write(folder .. "/alive.lua", [[
local brio = require "brio"
local want = brio.want
local alive = brio.behavior "alive" { robot = "pepper", start = "idle" }
alive.idle = {
  wants = {
    want.joint_liveliness { joint = "HeadYaw", goal = 0.1, frequency = 0.5 },
    want.joint_match { joint = "RElbowRoll", goal = function(self) return self.now > 2 and 1.2 or 0.5 end },
  },
}
return alive
]])
local made = brio("run", folder .. "/alive.lua", "--for", "60", "--clock", "fast", "--store", store)

test("the run that is kept from went well", function(t) t:code(made, 0) end)

test("a piece is kept as a sequence that is near the samples everywhere", function(t)
  local out = folder .. "/reach.lua"
  local run = brio("keep", "--store", store, "--from", "1", "--to", "5", "--dof", "RElbowRoll", "--out", out,
    "--lead", "0", "--tolerance", "0.003")
  t:code(run, 0)
  t:has(run.out, "1 DOFs")
  local keys = dofile(out).tracks.RElbowRoll
  t:check(#keys < 40, "%d keys", #keys)
  for _, key in ipairs(keys) do
    local asked = harness.number(store, (
      "SELECT command FROM samples WHERE run = 1 AND name = 'RElbowRoll' AND abs(t - %.4f) < 0.0026 LIMIT 1")
      :format(key[1] + 1))
    if asked then
      t:check(math.abs(asked - key[2]) < 0.02, "at %.2f s: %.4f, and %.4f was commanded", key[1], key[2],
        asked)
    end
  end
end)

test("the last seconds are kept, of all that moves", function(t)
  local out = folder .. "/last.lua"
  t:code(brio("keep", "last", "--store", store, "--last", "10", "--out", out), 0)
  local sequence = dofile(out)
  t:check(sequence.tracks.HeadYaw and not sequence.tracks.LHand, "HeadYaw alone moved")
  t:equal(sequence.robot, "pepper", "its robot")
end)

test("the manner of the head becomes a property of a state, anew each time", function(t)
  local run = brio("liven", "--store", store, "--dof", "HeadYaw", "--from", "3")
  t:code(run, 0)
  local amplitude, frequency = run.out:match "goal = ([%d.]+), frequency = ([%d.]+)"
  t:check(amplitude and math.abs(amplitude / 0.1 - 1) < 0.5, "amplitude %s", tostring(amplitude))
  t:check(frequency and frequency / 0.5 > 0.5 and frequency / 0.5 < 2, "frequency %s", tostring(frequency))
  for _ = 1, 2 do
    t:code(brio("liven", "--store", store, "--dof", "HeadYaw", "--from", "3", "--into",
      folder .. "/alive.lua", "--state", "idle"), 0)
  end
  local text = harness.files.read(folder .. "/alive.lua")
  local _, count = text:gsub("fitted to a demonstration", "")
  t:equal(count, 1, "blocks that were fitted")
  t:code(brio("check", folder .. "/alive.lua"), 0)
end)

-- Each row: the words, and the message.
local wrong = {
  { { "keep", "--store", store }, "where to: --out" },
  { { "keep", "--store", store, "--out", "/no/such/x.lua" }, "/no/such/x.lua" },
  { { "keep", "--store", store, "--out", folder .. "/x.lua", "--dof", "HeadYav" }, "did you mean 'HeadYaw'" },
  { { "keep", "--store", store, "--out", folder .. "/x.lua", "--from", "500" }, "nothing moved" },
  { { "keep", "--store", store, "--out", folder .. "/x.lua", "--from", "5", "--last", "5" },
    "--last goes without" },
  { { "liven", "--store", store }, "what moves: --dof" },
  { { "liven", "--store", store, "--dof", "LHand" }, "hardly moves" },
  { { "liven", "--store", store, "--dof", "HeadYaw", "--to", "4" }, "at least 10 s" },
  { { "liven", "--store", store, "--dof", "HeadYaw", "--into", folder .. "/alive.lua" },
    "--into and --state go together" },
  { { "liven", "--store", store, "--dof", "HeadYaw", "--into", folder .. "/alive.lua", "--state", "idl" },
    "no state written as" },
}

test("what is wrong is said", function(t)
  for _, case in ipairs(wrong) do
    local run = brio(table.unpack(case[1]))
    t:check(run.code == 1 or run.code == 2, "%s ended with %s", table.concat(case[1], " "),
      tostring(run.code))
    t:has(run.err, case[2])
    t:check(not run.err:find "traceback", "%s", run.err)
  end
end)

harness.files.remove(folder)
harness.done()
