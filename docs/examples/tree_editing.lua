-- A tree is a document: read, edited, taken back, mirrored, written.
local author = require "brio.tree.author"
local document = require "brio.tree.document"
local editings = require "brio.tree.editing"
local mirrors = require "brio.tree.mirror"

local doc = assert(document.read([[
return { "sequence", name = "open the door",
  { "wait", name = "left hand up", seconds = 2 },
  { "wait", name = "walk", after = "left hand up" },
}
]], "door.lua"))

local editing, ids = editings.new(doc), author.ids(doc)
local up, walk = doc:find "left hand up", doc:find "walk"

print(editing:apply(author.set(doc, up, "seconds", 3), "ann").says)        --> seconds of 'left hand up' is 3
print(editing:apply(author.duplicate(doc, up, ids), "bob").says)
--> 'left hand up' is new in 'open the door'
print(editing:apply(author.rename(doc, up, "left arm up"), "ann").says)
--> 'left hand up' is called "left arm up"

-- what cannot be is said
print(select(2, editing:apply(author.delete(doc, up), "bob")))
--> 'left arm up' is referred to: after of 'walk' is 'left arm up'
print(select(2, editing:apply(author.set(doc, up, "secnds", 1), "bob")))
--> 'left arm up' (wait) has no field 'secnds' (did you mean 'seconds'?)

-- each person takes back what that person did last
print(editing:undo("bob").says)
--> taken back: 'left hand up' is new in 'open the door'
print((select(2, editing:undo "bob")))                   --> there is nothing to undo
print(editing:apply({ op = "set", id = walk, field = "seconds", value = 1 }, "bob").says)
--> seconds of 'walk' is 1

-- left for right
print(editing:apply(mirrors.operation(doc, doc.root, mirrors.new()), "ann").says)
--> 'open the door' is mirrored
print(doc:unsaved())                                     --> true
for line in doc:text():gmatch "[^\n]+" do print(line) end
--> return { "sequence", name = "open the door",
-->   { "wait", name = "right arm up", seconds = 3 },
-->   { "wait", name = "walk", after = "right arm up", seconds = 1 },
--> }
