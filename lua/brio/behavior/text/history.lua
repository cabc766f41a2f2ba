--- Undo and redo of edits of a file, for each person: what a person did last is taken back, also after others
--- have changed other parts.
---
--- A history is plain data, which the caller keeps as JSON: {edits = list of {who, what, before,
--- after, undone}, texts = {hash = text}}.
local merge = require "brio.behavior.text.merge"
local store = require "brio.store"

local history = {}

--- Edits and bytes of texts that a history keeps.
history.most_edits, history.most_bytes = 200, 4 << 20

--- An empty history.
function history.new() return { edits = {}, texts = {} } end

--- Whether a value that was read has the form of a history.
function history.is_sound(value)
  if type(value) ~= "table" or type(value.edits) ~= "table" or type(value.texts) ~= "table" then
    return false
  end
  for _, text in pairs(value.texts) do
    if type(text) ~= "string" then return false end
  end
  for _, edit in ipairs(value.edits) do
    if type(edit) ~= "table" or type(edit.who) ~= "string" or type(edit.what) ~= "string"
      or not value.texts[edit.before] or not value.texts[edit.after] then return false end
  end
  return true
end

--- Forget the oldest edits beyond the limits, and the texts that no edit names.
local function trim(self)
  while true do
    local kept, size = {}, 0
    for _, edit in ipairs(self.edits) do
      for _, hash in ipairs { edit.before, edit.after } do
        if not kept[hash] then size = size + #self.texts[hash] end
        kept[hash] = self.texts[hash]
      end
    end
    self.texts = kept
    if #self.edits <= 1 or #self.edits <= history.most_edits and size <= history.most_bytes then return end
    table.remove(self.edits, 1)
  end
end

--- Add an edit of a person; what they had undone cannot be done again.
---@param who string
---@param what string for people
---@param before string the text before
---@param after string
function history.add(self, who, what, before, after)
  for index = #self.edits, 1, -1 do
    local edit = self.edits[index]
    if edit.who == who and edit.undone then table.remove(self.edits, index) end
  end
  local edit = { who = who, what = what, before = store.hash(before), after = store.hash(after) }
  self.texts[edit.before], self.texts[edit.after] = before, after
  self.edits[#self.edits + 1] = edit
  trim(self)
end

--- The edit that undo (or redo) of a person means; nil: none.
local function next_edit(self, who, redo)
  local found
  for _, edit in ipairs(self.edits) do
    if edit.who == who then
      if redo and edit.undone then return edit end
      if not redo and not edit.undone then found = edit end
    end
  end
  return not redo and found or nil
end

--- What a person could undo and redo next: two texts, nil without.
function history.next(self, who)
  local undo, redo = next_edit(self, who, false), next_edit(self, who, true)
  return undo and undo.what, redo and redo.what
end

--- Take back (or do again) the last edit of a person in the text as it is now: the new text, and what it was.
--- Call `done()`, the third value, when the text has been written.  nil, sentence, lines of the conflicts.
---@param self table
---@param who string
---@param text string
---@param redo boolean?
---@return string? text, string what, any more
function history.back(self, who, text, redo)
  local edit = next_edit(self, who, redo == true)
  if not edit then return nil, ("there is nothing to %s for %s"):format(redo and "redo" or "undo", who) end
  local from, to = self.texts[edit.after], self.texts[edit.before]
  if redo then from, to = to, from end
  local made, conflicts = merge.three(from, to, text)
  if not made then
    return nil, ("'%s' cannot be taken back: line %d has been changed since"):format(edit.what,
      conflicts[1].theirs), conflicts
  end
  return made, edit.what, function() edit.undone = not redo or nil end
end

return history
