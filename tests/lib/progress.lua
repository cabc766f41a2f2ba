--- What `make test` prints while it runs and at its end.
local uv = require "luv"

local progress = {}
local Report = {}
Report.__index = Report

--- A report on `count` suites.  `verbose`: a line for each.
function progress.new(count, verbose)
  return setmetatable({ count = count, verbose = verbose, began = uv.hrtime(), suites = {}, lines = {},
                        passed = 0, failed = 0, skipped = 0 }, Report)
end

local function minutes(seconds) return ("%d:%02d"):format(seconds // 60, seconds % 60) end

function Report:print(text)
  io.stdout:write(text, "\n")
  io.stdout:flush()
end

--- A test failed: show it now, and again at the end.
function Report:failure(suite, name, details)
  local lines = { ("FAILED %s: %s"):format(suite.name, name) }
  for _, line in ipairs(details) do lines[#lines + 1] = "  " .. line end
  self.lines[#self.lines + 1] = lines[1]
  self:print(table.concat(lines, "\n"))
end

function Report:ended(suite, result)
  self.suites[#self.suites + 1] = { suite = suite, result = result }
  for _, count in ipairs { "passed", "failed", "skipped" } do self[count] = self[count] + result[count] end
  for _, note in ipairs(result.failed > 0 and result.notes or {}) do self:print("  " .. note) end
  if self.verbose then
    self:print(("%-48s %3d ok %3d failed %3d skipped %7.1f s %7.1f s of a core")
               :format(suite.name, result.passed, result.failed, result.skipped, result.seconds,
                 result.processor))
  end
end

--- Print the progress, and the suite that has been running for longest.  `running`: suite to its start, in
--- the loop's ms.
function Report:tick(running)
  local oldest
  for suite, since in pairs(running) do
    if not oldest or since < running[oldest] then oldest = suite end
  end
  self:print(("%6s  %d of %d suites, %d tests passed, %d failed%s"):format(
    minutes((uv.hrtime() - self.began) // 1000000000), #self.suites, self.count, self.passed, self.failed,
    oldest and ("; longest running: " .. oldest.name) or ""))
end

local function show_skips(self)
  local names, order = {}, {}
  for _, one in ipairs(self.suites) do
    for _, skip in ipairs(one.result.skips) do
      if not names[skip.why] then
        names[skip.why] = {}
        order[#order + 1] = skip.why
      end
      table.insert(names[skip.why], skip.name)
    end
  end
  table.sort(order)
  for _, why in ipairs(order) do
    self:print(("skipped: %s: %s"):format(why, table.concat(names[why], ", ")))
  end
end

local function show_slowest(self)
  table.sort(self.suites, function(a, b) return a.result.seconds > b.result.seconds end)
  self:print(("took %s; the slowest suites:"):format(minutes((uv.hrtime() - self.began) // 1000000000)))
  for at = 1, math.min(10, #self.suites) do
    local one = self.suites[at]
    self:print(("%7.1f s (%.1f s of a core)  %s"):format(one.result.seconds, one.result.processor,
      one.suite.name))
  end
end

--- Print skips, the slowest suites, failures once more, and the closing line.  Returns whether anything
--- failed.
function Report:close()
  show_skips(self)
  show_slowest(self)
  if self.passed + self.failed == 0 then
    self:print "not ok: there was no test to run"
    self.failed = 1
  end
  for _, line in ipairs(self.lines) do self:print(line) end
  self:print(("%d passed, %d failed"):format(self.passed, self.failed)
             .. (self.skipped > 0 and (", %d skipped"):format(self.skipped) or ""))
  return self.failed > 0
end

--- Every test as a line "suite TAB verdict TAB name", sorted.
function Report:names()
  local lines = {}
  for _, one in ipairs(self.suites) do
    for _, test in ipairs(one.result.names) do
      lines[#lines + 1] = ("%s\t%s\t%s"):format(one.suite.name, test[1], test[2])
    end
  end
  table.sort(lines)
  return table.concat(lines, "\n") .. "\n"
end

--- The text of tests/lib/usual.lua for what was measured: suites of over a second, longest first.
function Report:usual()
  local lines = {
    "--- What suites usually take on two quiet cores: { seconds, processor seconds }.  They start in this \z
      order,",
    "--- longest first; `lua5.4 tests/run.lua --usual tests/lib/usual.lua` measures and writes it again.",
    "return {", "  others = { 0.5, 0.4 },",
  }
  table.sort(self.suites, function(a, b) return a.result.seconds > b.result.seconds end)
  for _, one in ipairs(self.suites) do
    local took = one.result
    if took.seconds < 1 then break end
    lines[#lines + 1] = ("  [%q] = { %.1f, %.1f },"):format(one.suite.name, took.seconds, took.processor)
  end
  lines[#lines + 1] = "}"
  return table.concat(lines, "\n") .. "\n"
end

return progress
