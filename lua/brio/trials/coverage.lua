--- Which nodes of trees ran, succeeded and failed in tests.
local nodes = require "brio.nodes"

local coverage = {}
local Coverage = {}
Coverage.__index = Coverage

local kinds = {}
for _, row in ipairs(nodes.kinds()) do kinds[row.name] = row end

--- A coverage without any trees.
function coverage.new() return setmetatable({ trees = {}, order = {} }, Coverage) end

--- The coverage of a tree in a state of a behavior's file: a changed tree counts as another one.
local function seen_of(self, file, state, compiled)
  local key = ("%s\n%s\n%s"):format(file, state, compiled.signature)
  local seen = self.trees[key]
  if not seen then
    seen = { file = file, state = state, compiled = compiled, runs = 0, success = {}, failure = {},
      stopped = {} }
    self.trees[key], self.order[#self.order + 1] = seen, seen
  end
  return seen
end

--- Add a behavior's trees, which count even if they never run: `states`, compiled.
function Coverage:know(file, states)
  for _, state in ipairs(states) do seen_of(self, file, state.path, state.tree) end
end

--- Add the trees that a watcher recorded in a run of a behavior.
function Coverage:add(file, watched)
  for _, tree in ipairs(watched.trees) do
    local seen = seen_of(self, file, tree.state, tree.compiled)
    seen.runs = seen.runs + 1
    for _, one in ipairs(tree.executions) do
      local list = seen[one.status or "stopped"]
      list[one.node] = (list[one.node] or 0) + one.times
    end
  end
end

--- Missing outcomes of a node, in words; nil: none.
local function missing(seen, number)
  local kind = seen.compiled.list[number].kind
  local good, bad, stopped = seen.success[number], seen.failure[number], seen.stopped[number]
  if not (good or bad or stopped) then return "never ran" end
  if not good and kind ~= "fail" then return "never succeeded" end
  if not bad and not ({ succeed = true, wait = true, checkpoint = true, ["goto"] = true })[kind] then
    return "never failed"
  end
end

--- The coverage: a list, in the order in which trees were added, of {file, state, nodes = number of nodes
--- that can run, ran, succeeded, failed, runs (of the tree), missing = list of {node, what}}.
function Coverage:report()
  local list = {}
  for index, seen in ipairs(self.order) do
    local row = { file = seen.file, state = seen.state, nodes = 0, ran = 0, succeeded = 0, failed = 0,
      runs = seen.runs, missing = {}, compiled = seen.compiled }
    for number, record in ipairs(seen.compiled.list) do
      if not kinds[record.kind].open then
        local good, bad = seen.success[number], seen.failure[number]
        row.nodes = row.nodes + 1
        row.ran = row.ran + ((good or bad or seen.stopped[number]) and 1 or 0)
        row.succeeded, row.failed = row.succeeded + (good and 1 or 0), row.failed + (bad and 1 or 0)
        local what = missing(seen, number)
        if what then row.missing[#row.missing + 1] = { node = number, what = what } end
      end
    end
    list[index] = row
  end
  table.sort(list, function(a, b) return a.file < b.file or a.file == b.file and a.state < b.state end)
  return list
end

--- The same as lines of text.
function Coverage:lines()
  local lines = {}
  for _, row in ipairs(self:report()) do
    lines[#lines + 1] = ("coverage of %s, state %s: %d of %d nodes ran, %d succeeded, %d failed \z
      (%d run%s)"):format(
      row.file:match "[^/]*$", row.state, row.ran, row.nodes, row.succeeded, row.failed, row.runs,
        row.runs == 1 and "" or "s")
    for _, item in ipairs(row.missing) do
      local record = row.compiled.list[item.node]
      local name = record.name ~= record.is and (" '%s'"):format(record.name) or ""
      lines[#lines + 1] = ("%6d  %-15s %s%s"):format(item.node, item.what, record.is, name)
    end
  end
  return lines
end

return coverage
