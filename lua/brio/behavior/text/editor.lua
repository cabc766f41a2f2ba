--- Edits of a file that several people and programs change: an edit names the hash of the text that it saw,
--- is merged with what others have written meanwhile where they do not touch, and is kept for undo.
---
--- This module does no input or output: it makes a plan from texts.  The caller checks and writes the file.
local document = require "brio.behavior.text.document"
local history = require "brio.behavior.text.history"
local merge = require "brio.behavior.text.merge"
local operations = require "brio.behavior.text.operations"
local store = require "brio.store"

local editor = {}

--- What an operation does, for people.
local sentences = {
  set = function(op) return ("set %s to %s"):format(op.path, op.value) end,
  add = function(op) return ("add to %s"):format(op.path) end,
  remove = function(op) return ("remove %s"):format(op.path) end,
  move = function(op) return ("move %s to %s"):format(op.path, op.to) end,
  rename = function(op) return ("rename %s to %s"):format(op.path, op.to) end,
  wrap = function(op) return ("wrap %s"):format(op.path) end,
  lead = function(op) return ("lead from %s to %s"):format(op.path, op.to) end,
}

--- Apply an operation to the text that the person saw, and merge it with the text of now.
local function plan_operation(text, request)
  local hash = store.hash(text)
  local base = text
  if request.hash and request.hash ~= hash then base = request.base end
  if not base or request.hash and store.hash(base) ~= request.hash then
    return nil, { error = "the file has been changed since it was read: read it again", text = text,
      hash = hash }
  end
  local good, fault, line = document.open(text)
  if not good then
    return nil, { error = ("the file is no Lua now: line %d: %s"):format(line, fault), line = line,
      waits = true }
  end
  local made, why, at = operations.apply(base, request.op)
  if not made then return nil, { error = why, line = at } end
  local after = made.text
  if base ~= text then
    local conflicts
    after, conflicts = merge.three(base, made.text, text)
    if not after then
      return nil, { error = ("line %d has been changed by somebody else"):format(conflicts[1].theirs),
        conflicts = conflicts, mine = made.text, text = text, hash = hash }
    end
    local sound, wrong, place = document.open(after)
    if not sound then
      return nil, { error = ("merged, the text would be no Lua: line %d: %s"):format(place, wrong),
        mine = made.text, text = text, hash = hash }
    end
  end
  return { before = text, after = after, what = sentences[request.op.op](request.op), notes = made.notes,
    left = made.left, merged = base ~= text or nil }
end

--- Undo or redo of a person.
local function plan_back(text, request, kept)
  local after, what, done = history.back(kept, request.who, text, request.redo == true)
  if not after then return nil, { error = what, conflicts = type(done) == "table" and done or nil } end
  return { before = text, after = after, notes = {}, done = done,
    what = (request.redo and "redo: " or "undo: ") .. what }
end

--- Plan a change of a text: {before, after, what, notes, left, merged}.  `request`: {who, op, hash, base} or
--- {who, undo = true} or {who, redo = true}; `base` is the text with that hash, if it is known.  nil and why:
--- {error, line, waits, conflicts, mine, text, hash}.
---@param text string the file's text now
---@param request table
---@param kept table see history.lua
---@return table? plan, table? why
function editor.plan(text, request, kept)
  if request.undo or request.redo then return plan_back(text, request, kept) end
  return plan_operation(text, request)
end

--- Keep a plan that was written.
function editor.written(plan, who, kept)
  if plan.done then return plan.done() end
  history.add(kept, who, plan.what, plan.before, plan.after)
end

local function errors_in(faults)
  local count, first = 0, nil
  for _, fault in ipairs(faults) do
    if fault.severity ~= "warning" then count, first = count + 1, first or fault end
  end
  return count, first
end

--- Whether the loader's faults before and after permit a plan: nil; else the sentence that refuses it.  A
--- file that is faulty already can be edited as long as an edit adds no fault.
---@param before table list of {line, message, severity}
---@param after table
---@return string? why
function editor.refusal(before, after)
  local count, first = errors_in(after)
  if count == 0 or count <= errors_in(before) then return nil end
  return ("refused: line %d: %s"):format(first.line, first.message)
end

return editor
