--- `brio quality` and `brio plot`: measures and pictures of a recorded run.
package.path = arg[0]:match "^(.*)/" .. "/../?.lua;" .. package.path
local harness = require "harness"
local test, brio = harness.test, harness.brio

local folder = harness.files.temporary()
local store = folder .. "/run.db"
brio("run", "behaviors/kiosk.lua", "--for", "8", "--clock", "fast", "--store", store)

test("a run's motion is measured, DOF by DOF", function(t)
  local run = brio("quality", "--store", store)
  t:code(run, 0)
  for _, name in ipairs { "HeadYaw", "RElbowRoll", "EyeLedBrightness", "sparc", "slope" } do
    t:has(run.out, name)
  end
  run = brio("quality", "1", "--store", store, "--dof", "HeadYaw", "--dof", "HipRoll", "--lag",
    "HeadYaw,HipRoll", "--json")
  t:code(run, 0)
  t:check(harness.is_json(run.out), "no JSON: %s", run.out)
  t:has(run.out, '"seconds"')
  local _, count = run.out:gsub('"amplitude"', "")
  t:equal(count, 2, "DOFs")
end)

test("its fastest is what SQL says of the same samples", function(t)
  local run = brio("quality", "--store", store, "--dof", "HeadYaw", "--json")
  local told = tonumber(run.out:match '"fastest":([%d.]+)')
  local asked = harness.number(store,
    [[SELECT max(abs(speed)) FROM (SELECT (command - lag(command) OVER w) / (t - lag(t) OVER w) AS speed
    FROM samples WHERE run = 1 AND name = 'HeadYaw' WINDOW w AS (ORDER BY tick))]])
  t:check(told and asked and math.abs(told - asked) < 1e-3, "%s and %s", tostring(told), tostring(asked))
end)

test("a run is drawn as SVG and as PNG", function(t)
  for _, kind in ipairs { "svg", "png" } do
    local path = folder .. "/run." .. kind
    t:code(brio("plot", "--store", store, "--out", path, "--dof", "HeadYaw", "--from", "1", "--to", "6"), 0)
    local text = harness.files.read(path) or ""
    t:check(#text > 2000 and text:sub(1, 64):find(kind == "svg" and "xml" or "PNG", 1, true), "%d bytes",
      #text)
  end
  t:code(brio("plot", "last", "--store", store, "--out", folder .. "/all.svg", "--together"), 0)
end)

test("a motion's file is measured and drawn, too", function(t)
  local wave = "drivers/robots/pepper/sequences/wave.lua"
  local run = brio("quality", wave, "--json", "--lag", "RShoulderPitch,RElbowRoll")
  t:code(run, 0)
  t:check(harness.is_json(run.out), "no JSON: %s", run.out)
  local _, count = run.out:gsub('"amplitude"', "")
  t:equal(count, 5, "DOFs")
  for _, more in ipairs { "--together", "--dof=RElbowRoll" } do
    t:code(brio("plot", wave, "--out", folder .. "/wave.svg", more), 0)
    t:has(harness.files.read(folder .. "/wave.svg") or "", "<svg")
  end
  t:code(brio("plot", wave, "--out", folder .. "/x.svg", "--dof", "HeadYaw"), 1)
end)

-- Each row: the words, and the message.
local wrong = {
  { { "plot", "--store", store, "--out", folder .. "/x.gif" }, "ends with .svg or .png" },
  { { "plot", "--store", store, "--out", "/no/such/x.svg" }, "/no/such/x.svg" },
  { { "plot", "--store", store, "--out", folder .. "/x.svg", "--panel", "speed" }, "did you mean 'speeds'" },
  { { "plot", "7", "--store", store, "--out", folder .. "/x.svg" }, "no run 7" },
  { { "plot", "--store", store, "--out", folder .. "/x.svg", "--from", "5", "--to", "4" },
    "--to must be after --from" },
  { { "quality", "--store", store, "--dof", "HeadYav" }, "did you mean 'HeadYaw'" },
  { { "quality", "--store", store, "--of", "wish" }, "command, measured or goal" },
  { { "quality", "--store", store, "--lag", "HeadYaw" }, "--lag expects two DOFs" },
  { { "quality", "seven", "--store", store }, "'seven' is no run" },
  { { "quality", "--store", folder .. "/none.db" }, "none.db" },
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
