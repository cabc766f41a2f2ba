--- Rollback: by a person, step by step; automatic, when a module fails; and its record.

local two = [[
local brio = require "brio"
local made = brio.behavior "made" { robot = "pepper", start = "a" }
made.a = { wants = { brio.want.joint_match { joint = "HeadYaw", goal = 0.4 } } }
return made
]]

test("going back goes step by step, also from an old text that was saved again", function(t)
  local run = t:run("made", { source = two })
  run:advance(0.1)
  local file, first = run.run.loaded.file, "there is no version before this one"
  local function text(n) return n == 1 and two or two .. "-- " .. n end
  local function save(n) t:equal(run.run.reloader:by_hand { [file] = text(n) }, true) end
  local function back_to(n)
    t:equal(run.run.reloader:rollback(), true)
    t:equal(run.run.host.sources[file], text(n))
    local running = 0
    for _, version in ipairs(run.run.reloader:versions()) do running = running + (version.runs and 1 or 0) end
    t:equal(running, 1)
  end
  t:equal({ n = 2, run.run.reloader:rollback() }, { n = 2, nil, first })
  for _, n in ipairs { 2, 3, 1 } do save(n) end
  for _, n in ipairs { 3, 2, 1 } do back_to(n) end
  t:equal({ n = 2, run.run.reloader:rollback() }, { n = 2, nil, first })
  save(2) save(3) back_to(2) save(4)
  for _, n in ipairs { 2, 1 } do back_to(n) end
end)

test("a module that fails is what is rolled back, and the record says so in order", function(t)
  local run = t:run("made", { source = two, recorded = true })
  local file = run.run.loaded.file
  local parts = file:match "^(.*)/" .. "/brio_reload_step.lua"
  t:equal(run.run.reloader:by_hand { [parts] = "return { step = function() end }",
    [file] = 'local parts = require "brio_reload_step"\n'
      .. two:gsub("made%.a = {", "made.a = { tick = function() parts.step() end,") }, true)
  run:advance(1.5)
  local host, good = run.run.host, run.run.host.hashes[parts]
  t:equal(run.run.reloader:by_hand { [parts] = "return { step = function() error 'lame' end }" }, true)
  local bad = host.hashes[parts]
  t:ok(bad ~= good)
  run:advance(0.1)
  run.run.reloader:after_rollback() -- which the slack does on the real clock
  t:equal({ host.hashes[parts], run.failed }, { good })
  t:match(t.said[#t.said], "version " .. bad:sub(1, 8) .. " of .*brio_reload_step%.lua failed .* to "
    .. good:sub(1, 8))
  run:finish()
  t:equal(run:sql("SELECT version FROM faults")[1].version, bad)
  local rows = run:sql("SELECT what FROM version_story WHERE what != '' AND version = '" .. bad:sub(1, 12)
    .. "'")
  t:equal(#rows, 1)
  t:match(rows[1].what, "rolled back: .*lame")
  local order, wanted = {}, { "^loads .*" .. bad:sub(1, 8), "^error in made: .*lame",
    "^event rolled_back: version "
    .. bad:sub(1, 8) .. " of .* failed, " .. good:sub(1, 8) .. " runs again$",
      "^loads .*" .. good:sub(1, 8) .. ", in place of" }
  for _, row in ipairs(run:sql "SELECT sentence FROM story WHERE t > 1.45 AND t < 1.55 ORDER BY place") do
    order[#order + 1] = row.sentence
  end
  t:equal(#order, #wanted)
  for i, pattern in ipairs(wanted) do t:match(order[i] or "", pattern) end
end)
