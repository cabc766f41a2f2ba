--- Each edit of a tree is a version in the store: the text of the whole tree as `brio history versions`,
--- `diff` and `rollback` know them, and an event `tree_edited` that says who, what, and how to go there and
--- back.
---
--- Texts are made in the slack between ticks, little by little, from nodes as they were: an edit itself only
--- notes them.
local script = require "brio.script"
local text = require "brio.tree.editing.text"

local versions = {}

--- A document as it is now: nodes are never changed, so a list of them is enough.
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

--- Keep the text that edits begin with: `name` is the file's, or the one that it would be saved to.
function versions.begin(host, doc, name)
  local recorder = host.recorder
  if not recorder.writer then return nil end
  return { host = host, name = name, waiting = { { doc = versions.frozen(doc), t = host.now } }, first = 1,
    last = 1 }
end

--- Note an edit that was done.
function versions.note(own, path, doc, done)
  if not own then return end
  own.last = own.last + 1
  own.waiting[own.last] = { path = path, doc = versions.frozen(doc), done = done, t = own.host.now,
    tick = own.host.tick }
end

--- Write down what item says, whose text is made.
local function write(own, item, words)
  local recorder, done = own.host.recorder, item.done
  local before = own.hash
  own.hash = recorder:version(own.name, words, before, item.t)
  if not done then return end -- what edits began with
  recorder:event(item.tick, item.t, { name = "tree_edited", source = "tree",
    data = { who = done.who, tree = item.path,
    file = own.name, says = done.says, seq = done.seq, op = done.op, inverse = done.inverse,
      from = before:sub(1, 12),
    to = own.hash:sub(1, 12) } }, own.host.version)
end

--- Write one edit that waits, or go on with it for `seconds`; nil: to its end.  Return whether there is more.
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

return versions
