--- Each edit of a tree is a version in the store: the text of the whole tree as `brio history versions`, `diff` and `rollback`
--- know them, and an event `tree_edited` that says who, what, and how to go there and back.
---
--- Texts are made in the slack between ticks, one at a time, from nodes as they were: an edit itself only notes them.
local text = require "brio.tree.text"

local versions = {}

--- A document as it is now: nodes are never changed, so a list of them is enough.
local function frozen(doc)
  local made = setmetatable({}, { __index = doc })
  made.nodes, made.order, made.forms, made.journal = {}, nil, {}, nil
  for id, node in next, doc.nodes do made.nodes[id] = node end
  return made
end

local function words_of(doc)
  local made = text.of(doc)
  return made or text.of(doc, "lua")
end

--- Keep the text that edits begin with: `name` is the file's, or the one that it would be saved to.
function versions.begin(host, doc, name)
  local recorder = host.recorder
  if not recorder.writer then return nil end
  local own = { host = host, name = name, waiting = {}, first = 1, last = 0 }
  own.hash = recorder:version(name, words_of(doc), nil, host.now)
  return own
end

--- Note an edit that was done.
function versions.note(own, path, doc, done)
  if not own then return end
  own.last = own.last + 1
  own.waiting[own.last] = { path = path, doc = frozen(doc), done = done, t = own.host.now, tick = own.host.tick }
end

--- Write one edit that waits.  Return whether there was one.
function versions.work(own)
  local item = own and own.waiting[own.first]
  if not item then return false end
  own.waiting[own.first], own.first = nil, own.first + 1
  local recorder, done = own.host.recorder, item.done
  local before = own.hash
  own.hash = recorder:version(own.name, words_of(item.doc), before, item.t)
  recorder:event(item.tick, item.t, { name = "tree_edited", source = "tree", data = { who = done.who, tree = item.path,
    file = own.name, says = done.says, seq = done.seq, op = done.op, inverse = done.inverse, from = before:sub(1, 12),
    to = own.hash:sub(1, 12) } }, own.host.version)
  return true
end

return versions
