--- Warnings about a behavior that can run: names that are probably misspelled, and unreachable states.
local behavior = require "brio.behavior.define"
local fault_lists = require "brio.behavior.sandbox.faults"
local names = require "brio.behavior.review.names"
local reach = require "brio.behavior.review.reach"
local source = require "brio.behavior.review.source"

local review = {}

--- The warnings of a loaded behavior: a list of {file, line, message, severity = "warning"}.
function review.warnings(loaded)
  local texts, list = source.of(loaded), {}
  local places = fault_lists.new(loaded.file, loaded.sources[loaded.file])
  local function each(visit) behavior.each_state(loaded.machine, visit) end
  local function line_of(one)
    local state = one.state and loaded.definition.states[one.state]
    return one.line or state and places:line_of_state(one.state, state.line)
      or places:line(places:at(one.word, one.from)) or 0
  end
  local fields = loaded.definition.fields
  local all = { names.of_self(texts, fields), names.of_unread_tune(texts, fields, loaded.file),
    names.of_events(texts, each, loaded.file), reach.warnings(loaded, texts) }
  for _, found in ipairs(all) do
    for _, one in ipairs(found) do
      list[#list + 1] = { file = one.file, line = line_of(one), message = one.message, severity = "warning" }
    end
  end
  table.sort(list, function(a, b) return a.file < b.file or a.file == b.file and a.line < b.line end)
  return list
end

return review
