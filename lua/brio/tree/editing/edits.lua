--- The edits of a tree's document: operations in one order, their authors, and undo and redo for each
--- person.
---
---     local editing = editings.new(document [, check])  check(document): a sentence on why the document is
---                                                       invalid, or nil
---     local done, why = editing:apply(op, who [, base]) { seq =, says =, op = (as it was done), inverse =,
---                                                       ... }, or nil and a sentence if nothing was
---                                                       changed.  `base`: the newest edit that `who` had
---                                                       seen
---     editing:undo(who [, skip]), editing:redo(who [, skip])   the last edit of `who` in effect (or the
---                                                              last one undone).  `skip`: leave it, and
---                                                              remove it from the list
---     editing:last_of(who, "done")                      the edit that undo would take: { says =, seq = };
---                                                       "undone": that of redo
---     editing.seq                                       the number of edits
---     editing.clock = function() -> number              counts edits over several documents: `at` of
---                                                       last_of()
---
--- Undo takes back the last edit of its author, even if others have edited since; if another person has
--- changed the same key since, it is refused, with who and what.  Equal sequences of edits give equal
--- documents on all machines.
local operations = require "brio.tree.editing.operations"

local editings = {}
local Editing = {}
Editing.__index = Editing

--- Maximum number of edits of each person that can be undone.
editings.most_undo = 1000

--- The edits of a document: initially none.  check(document): a sentence if it is invalid, or nil.
function editings.new(document, check)
  return setmetatable({ document = document, check = check, seq = 0, stamps = {}, graves = {}, left = {},
    done = {}, undone = {} }, Editing)
end

-- Interface for operations ----------------------------------------------------------------------------------

--- Record that the current edit changed a key of a node (a field, "kind" or "place").
function Editing:stamp(id, key)
  if not self.stamps[id] then self.document:change(self.stamps, id, {}) end
  self.document:change(self.stamps[id], key, { seq = self.seq + 1, who = self.who })
end

--- Who else changed a key of a node since the state that the author of the current edit saw; nil: nobody.
function Editing:others(id, key)
  if self.settled then return nil end
  local stamp = self.stamps[id] and self.stamps[id][key]
  return stamp and stamp.who ~= self.who and stamp.seq > self.base and stamp.who or nil
end

--- Who changed a node last, or a key of it, if known.
function Editing:last(id, key)
  local newest
  for name, stamp in next, self.stamps[id] or {} do
    if (not key or key == name) and (not newest or stamp.seq > newest.seq) then newest = stamp end
  end
  return newest and newest.who
end

--- Who changed a node last, other than the author of the current edit.
function Editing:last_other(id)
  local newest
  for _, stamp in next, self.stamps[id] or {} do
    if stamp.who ~= self.who and (not newest or stamp.seq > newest.seq) then newest = stamp end
  end
  return newest and newest.who
end

--- Record the position of a node that is deleted: {name =, parent =, part =, behind =}; nil: it is
--- restored.
function Editing:bury(id, trace)
  if trace then trace.who = self.who end
  if trace or self.graves[id] then self.document:change(self.graves, id, trace) end
end

--- Record the position from which a node is moved.
function Editing:leave(id, trace) self.document:change(self.left, id, trace) end

-- Edits -----------------------------------------------------------------------------------------------------

--- Push onto a person's list of edits; lists are chains, {entry, next one, depth}, so that they can be
--- reverted.
local function push(self, list, who, entry)
  local rest = list[who]
  if rest and rest.depth >= 2 * editings.most_undo then -- drop the older half
    local kept, chain = {}, nil
    for index = 1, editings.most_undo do kept[index], rest = rest.entry, rest.rest end
    for index = editings.most_undo, 1, -1 do
      chain = { entry = kept[index], rest = chain, depth = editings.most_undo - index + 1 }
    end
    rest = chain
  end
  self.document:change(list, who, { entry = entry, rest = rest, depth = (rest and rest.depth or 0) + 1 })
end

local function pop(self, list, who)
  if list[who] then self.document:change(list, who, list[who].rest) end
end

--- Do an operation.  Return its inverse, or nil and why, with nothing changed; then whether the journal
--- ends here, and the operation as it was done.
local function try(self, op, who, base)
  local doc = self.document
  local keeps, place = doc.journal ~= nil, doc:mark()
  self.who, self.base = who, base
  local inverse, why, made = operations.apply(self, op)
  if inverse and self.check then
    why = self.check(doc)
    if why then inverse = nil end
  end
  if not inverse then doc:revert(place) end
  return inverse, why, not keeps, made
end

local function close(self, ends) if ends then self.document:keep() end end

local prefixes = { undone = "taken back: ", redone = "done again: " }

--- Do an operation and add it to the lists of its author as `history` says: "done", "undone" or "redone".
local function commit(self, op, who, base, history, says)
  local inverse, why, ends, made = try(self, op, who, base)
  if inverse then
    local entry = { seq = self.seq + 1, says = says, inverse = inverse, at = self.clock and self.clock() }
    if history == "undone" then
      pop(self, self.done, who)
      push(self, self.undone, who, entry)
    else
      if history == "redone" then pop(self, self.undone, who)
      elseif self.undone[who] then self.document:change(self.undone, who, nil) end
      push(self, self.done, who, entry)
    end
    self.document:change(self, "seq", self.seq + 1)
  end
  close(self, ends)
  if not inverse then return nil, why end
  return { seq = self.seq, says = (prefixes[history] or "") .. says, plain = says, op = made,
    inverse = inverse, who = who, base = base, history = history }
end

--- Remove the last entry of a list, without an operation.
local function skip(self, list, who, history)
  local keeps = self.document.journal ~= nil
  self.document:mark()
  local says = list[who].entry.says
  pop(self, list, who)
  self.document:change(self, "seq", self.seq + 1)
  close(self, not keeps)
  return { seq = self.seq, says = "left as it is: " .. says, op = { op = history, skip = true }, who = who,
    history = history }
end

--- Undo or redo: `from` is the list with the entry.
local function again(self, who, from, history, skips)
  local chain = self[from][who]
  local back = history == "undo"
  if not chain then return nil, back and "there is nothing to undo" or "there is nothing to redo" end
  if skips then return skip(self, self[from], who, history) end
  local done, why = commit(self, chain.entry.inverse, who, self.seq, back and "undone" or "redone",
    chain.entry.says)
  if done then return done end
  return nil, ("cannot be %s (%s): %s"):format(back and "taken back" or "done again", chain.entry.says, why)
end

--- Undo the last edit of `who`; results as of apply.
function Editing:undo(who, skips) return again(self, who, "done", "undo", skips) end

--- Redo the last undone edit of `who`; results as of apply.
function Editing:redo(who, skips) return again(self, who, "undone", "redo", skips) end

--- The edit that undo ("done") or redo ("undone") of `who` would take: {says =, seq =, at =}, or nil.
function Editing:last_of(who, list)
  local chain = self[list][who]
  return chain and chain.entry
end

--- Do an operation of `who`, who had seen the edits up to `base`.  Return {seq =, says =, op =, inverse =,
--- ...}, or nil and a sentence with nothing changed.
function Editing:apply(op, who, base)
  local kind = type(op) == "table" and op.op
  if kind == "undo" or kind == "redo" then return self[kind](self, who, op.skip) end
  return commit(self, op, who, base or self.seq, "done",
    type(op) == "table" and operations.says(self.document, op) or "?")
end

--- Do an edit in the authority's order: `done` is the result of apply() there, with who and base.
function Editing:follow(done)
  if not done.op.skip then
    self.settled = true -- conflicts are already decided
    local made, why = commit(self, done.op, done.who, self.seq, done.history, done.plain)
    self.settled = nil
    return made, why
  end
  if self[done.history == "undo" and "done" or "undone"][done.who] then
    return self:apply(done.op, done.who)
  end
  self.seq = self.seq + 1 -- its author's edits are not known here
  return done
end

return editings
