--- Each edit of a tree is a version in the store: the text of the whole tree for `brio history versions`,
--- `diff` and `rollback`, and an event `tree_edited` with its author, the operation and its inverse.
---
--- Texts are made in the slack between ticks, in slices, from the nodes at the time of the edit, which
--- itself only records them.
local script = require "brio.script"
local text = require "brio.tree.editing.text"

local versions = {}

--- The present state of a document: nodes are immutable, so a list of them is enough.
function versions.frozen(doc)
  local made = setmetatable({}, { __index = doc })
  made.nodes, made.order, made.forms, made.journal = {}, nil, {}, nil
  for id, node in next, doc.nodes do made.nodes[id] = node end
  return made
end

local function words_of(doc)
  local made = text.of(doc)
  return made or text.of(doc, "lua")
end

--- Store the text before the first edit: `name` is that of the file, or of the one to which it would be
--- saved.
function versions.begin(host, doc, name)
  local recorder = host.recorder
  if not recorder.writer then return nil end
  return { host = host, name = name, waiting = { { doc = versions.frozen(doc), t = host.now } }, first = 1,
    last = 1 }
end

--- Record an edit that was done.
function versions.note(own, path, doc, done)
  if not own then return end
  own.last = own.last + 1
  own.waiting[own.last] = { path = path, doc = versions.frozen(doc), done = done, t = own.host.now,
    tick = own.host.tick }
end

--- Write an item whose text is made.
local function write(own, item, words)
  local recorder, done = own.host.recorder, item.done
  local before = own.hash
  own.hash = recorder:version(own.name, words, before, item.t)
  if not done then return end -- the text before the first edit
  recorder:event(item.tick, item.t, { name = "tree_edited", source = "tree",
    data = { who = done.who, tree = item.path,
    file = own.name, says = done.says, seq = done.seq, op = done.op, inverse = done.inverse,
      from = before:sub(1, 12),
    to = own.hash:sub(1, 12) } }, own.host.version)
end

--- Write one pending edit, or continue with it for `seconds`; nil: to its end.  Return whether more are
--- pending.
function versions.work(own, seconds)
  local item = own and own.waiting[own.first]
  if not item then return false end
  own.worker = own.worker or coroutine.create(function() return words_of(item.doc) end)
  local over, good, words = script.work(own.worker, seconds or math.huge)
  if not over then return true end
  own.worker, own.waiting[own.first], own.first = nil, nil, own.first + 1
  if not good then error(words, 0) end
  write(own, item, words)
  return own.waiting[own.first] ~= nil
end

-- Only a run that is recorded does this; see brio.record.recorder.
script.apart(versions)

return versions
