--- The drawing of `brio monitor`: it fits every window, omits what matters least, and shows faults also
--- without colors.
local monitor = require "brio.terminal.monitor"

local function axis(index, fields)
  local made = { name = "Joint" .. index, group = "arm", unit = "rad", lower = -1, upper = 1, target = 0.1,
    command = 0.1, position = 0.09, velocity = 0.5, error = -0.01, fresh = true, enabled = true }
  for key, value in pairs(fields or {}) do made[key] = value end
  return made
end

local function view(count, fields)
  local axes = {}
  for index = 1, count do axes[index] = axis(index, fields) end
  return { time = 12.34, behavior = "/some/where/kiosk.lua", robot = "pepper", state = "idle",
    tick_p50_us = 150, tick_p99_us = 310,
    late_ticks = 0, axes = axes, motors = { armed = true, rests = false, silent = false, held_by = {},
      periods = 100, lost = 0,
    threaded = true, late_p99_us = 60, devices =
      { { name = "head", driver = "sim", lost = false, rate = 998, failures = 0 } } } }
end

local function drawn(seen, width, height, options)
  options = options or {}
  options.width, options.height = width, height
  local lines, shown = monitor.window(seen, options)
  local texts = {}
  for index, line in ipairs(lines) do
    texts[index] = require("brio.terminal.styled").text(line, options.colored)
  end
  return texts, shown, table.concat(texts, "\n")
end

test("fits every window", function(t)
  local full = { load = 0.2, temperature = 41, current = 0.3, voltage = 12 }
  for _, count in ipairs { 0, 1, 7, 34, 200 } do
    for _, fields in ipairs { {}, full } do
      local seen = view(count, fields)
      -- make test takes a sample of the windows
      for width = 20, 240, t:long() and 11 or 31 do
        for height = 4, 70, t:long() and 6 or 11 do
          local texts = drawn(seen, width, height,
            { keys = "q quits", log = { { text = ("x"):rep(300), level = "info" } } })
          if #texts > height then t:fail("%d lines in a window of %d x %d", #texts, width, height) end
          for _, text in ipairs(texts) do
            if utf8.len(text) > width then
              t:fail("%d characters in a window of %d x %d: %s", utf8.len(text), width, height, text)
            end
          end
        end
      end
    end
  end
end)

test("what matters least is left out first", function(t)
  local seen = view(3, { load = 0.25, temperature = 41, current = 0.3, voltage = 12.1 })
  local _, _, narrow = drawn(seen, 80, 24)
  for _, head in ipairs { "axis", "is", "target", "error", "load%%", "degC" } do t:match(narrow, head) end
  t:match(narrow, "Joint1 .- 0%.090 .- 0%.100 .- %-0%.010 .- 25 .- 41 ")
  t:ok(not narrow:find "group", "no room for groups in 80 columns")
  local _, _, wide = drawn(seen, 200, 24)
  for _, head in ipairs { "group", "told", "speed", "A ", "V ", "unit", "range" } do t:match(wide, head) end
  local _, _, tiny = drawn(seen, 20, 12)
  t:match(tiny, "Joint1 +0%.090")
  local _, _, unknown = drawn(view(3), 200, 24)
  t:ok(not unknown:find "load%%" and not unknown:find "degC", "columns that nobody reports are left out")
end)

test("a wide window shows rows side by side where they would not fit below each other", function(t)
  local seen = view(40)
  local _, shown = drawn(seen, 80, 24)
  t:ok(shown < 40, "%d axes in 24 lines", shown)
  local texts, all, text = drawn(seen, 200, 30)
  t:equal(all, 40)
  t:match(text, "Joint1 [^\n]-Joint%d")
  t:ok(#texts <= 30)
  local _, _, later = drawn(seen, 80, 24, { first = 30, keys = "" })
  t:match(later, "Joint30 ")
  t:ok(not later:find "Joint29 ", "rows before the first are not shown")
  t:match(later, "30 to 40 of 40 axes")
end)

test("what is wrong is said in words, and in colors where there are any", function(t)
  local seen = view(4)
  seen.axes[1] = axis(1, { fresh = false, position = nil, error = nil })
  seen.axes[1].position, seen.axes[1].error = nil, nil
  seen.axes[2].position = 1
  seen.axes[3].enabled = false
  seen.axes[4].error, seen.axes[4].temperature = 0.6, 70
  seen.failed, seen.motors.armed, seen.motors.held_by = "it broke", false, { "panic" }
  seen.motors.devices[1].lost, seen.motors.devices[1].error = true, "nobody answers"
  local texts, _, text = drawn(seen, 120, 24, { status = { text = "no answer", style = "bad" } })
  t:match(text, "failed: it broke   no answer")
  t:match(text, "disarmed   held by panic")
  t:match(text, "head %(sim%) lost.-nobody answers")
  t:match(text, "Joint1 [^\n]*silent")
  t:match(text, "Joint2 [^\n]*at end")
  t:match(text, "Joint3 [^\n]*off")
  t:ok(not text:find "\27", "no escapes without colors")
  local _, _, colored = drawn(seen, 120, 24, { colored = true })
  t:match(colored, "\27%[1;31m *0%.600 *\27%[0m")
  t:match(colored, "\27%[33m *70 *\27%[0m")
  t:equal((colored:gsub("\27%[[%d;]*m", "")):gsub(" +\n", "\n"):gsub(" +$", ""):match "Joint2[^\n]*",
    table.concat(texts, "\n"):match "Joint2[^\n]*")
end)

test("odd numbers and texts do not break the table", function(t)
  local seen = view(2, { position = 123456789, command = -1e300, target = 1e-9, velocity = -0.0001 })
  seen.axes[1].name = "a\27[2Jb\nc"
  seen.axes[2].lower = nil
  local _, _, text = drawn(seen, 80, 24)
  t:ok(not text:find "\27", "control characters are not passed on")
  t:ok(not text:find "%-0%.00 ", "nothing is minus zero")
  local _, _, plain = drawn(seen, 80, 24, { ascii = true, keys = "q" })
  t:ok(not plain:find "[\128-\255]", "ASCII where that is asked for")
  local _, _, none = drawn(nil, 80, 24, { status = { text = "waiting for one" }, keys = "q" })
  t:match(none, "brio monitor  waiting for one")
end)

test("a page holds every axis", function(t)
  local lines = monitor.page(view(50))
  t:equal(#lines, 3 + 1 + 1 + 50)
end)
