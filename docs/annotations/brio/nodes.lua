---@meta
-- luacheck: ignore 212 241 631
--- Made from engine/lua/tree/lua_nodes.c by scripts/docs.lua.

---@class brio.nodes
local nodes = {}

---@class brio.nodes.tree
local tree = {}

---Makes a tree of a list of nodes in depth-first order, {kind=, name=, is= which leaf, of what calls, parent=
---place in the list, 0: the root, id=, after= "previous", "beginning", "node", "all" or "whole", anchor=
---name, to= name, part=, and the kind's parameters}, with `anchor_id` and `to_id`, ids of nodes, instead of
---names; or one that runs the same plan as another tree. work(node, unit, fresh, elapsed) does what a leaf
---that calls does: it returns nil to go on, true, or false and why. For a `choose` it is called in each tick,
---and may return which child is to run from now on, from 1. stop(node, unit) and pause(node, unit, on) tell
---it that it is stopped or held from outside.
---@param list table
---@param work? any
---@param stop? any
---@param pause? any
---@return brio.nodes.tree? # tree | nil, sentence, code
---@return string? sentence
---@return string? code
function nodes.new(list, work, stop, pause) end

---A tree, at rest, with the plan that this one's becomes by a list of edits, in which nodes are named by
---their ids: {verb= "insert", parent=, before= its child, nil: at its end, list= a node and what is inside
---it, as nodes.new has them}, {verb= "remove", node=}, {verb= "move", node=, parent=, before=}, {verb= "set",
---node=, record=}. The list says of each node which number it had; of what was put in, minus its place among
---all that was. This tree stays as it is: see tree:migrate.
---@param edits any
---@return brio.nodes.tree? # tree, list | nil, sentence, code
---@return string? sentence
---@return string? code
function tree:edited(edits) end

---Does one tick, at time `now` (s). Returns "running", "idle" (it waits for a person), "success" or
---"failure". `self` is what functions of tree:asks get.
---@param now any
---@param self? any
---@return any # status
function tree:work(now, self) end

---Leaves that are only asked: list[node] is a function that is called in place of `work`, with the `self` of
---tree:work alone; the leaf succeeds when it says true, else it fails. nil: none. By the numbers of the plan
---that runs now.
---@param list table
function tree:asks(list) end

---Begins anew from the root, by itself.
function tree:begin() end

---Stops everything that runs.
function tree:halt() end

---Stops what runs and forgets failures; what is next stays.
function tree:reset() end

---Whether leaves begin by themselves; sets it.
---@param on? any
---@return any # on
function tree:automatic(on) end

---Lets the next concurrent set begin with the next tick.
function tree:step() end

---Off: one unit at a time.
---@param on any
function tree:concurrency(on) end

---The number of the node that is next in the root's line, nil at its end; sets it.
---@param node? any
---@return any # node | nil
function tree:next(node) end

---Holds a node that runs, or lets it go on.
---@param node any
---@param on any
function tree:pause(node, on) end

---Ends a node that runs, as failed, after `delay` (0) s.
---@param node any
---@param delay? any
function tree:stop(node, delay) end

---The tree stops by itself before this node.
---@param node any
---@param on any
function tree:breakpoint(node, on) end

---Stops a node that runs and lets it begin anew in its place with the next tick.
---@param node any
function tree:again(node) end

---Stops now what tree:migrate would stop, so that it can be recorded by its old number.
---@param other any
function tree:prepare(other) end

---Goes over to another tree's plan, as tree:edited makes them: what runs goes on where its node, by its id,
---is still there, does the same and stands in the same line; what else runs is stopped, by its old number.
---See docs/trees/trees.md.
---@param other any
function tree:migrate(other) end

---How often a loop that runs has come round, or a retry has failed, so far.
---@param node any
---@return number # count
function tree:turn(node) end

---How a node stands, how long it has run or ran last, and why it failed (nil: not known).
---@param node any
---@return any # status, seconds, why
function tree:status(node) end

---The numbers of the leaves and closed nodes that run, outer ones first.
---@return table # list
function tree:running() end

---The numbers of what a step would let begin: of each line that waits for one the next concurrent set.
---@return table # list
function tree:coming() end

---The number of the node with that id.
---@param id string
---@return any # node | nil
function tree:find(id) end

---What names a node over edits.
---@param node any
---@return any # id
function tree:id(node) end

---The number of the node around it, 0 for the root, and of the last one inside it.
---@param node any
---@return any # node, last
function tree:parent(node) end

---Which units of its line it waits for before it begins, by their numbers; nothing: for none.
---@param node any
---@return any # first, last
function tree:waits(node) end

---Where a goto or gosub leads; nil: on, or it is none.
---@param node any
---@return any # node | nil
function tree:target(node) end

---In which part of the fallback around it a node stands; nil: its parent is none.
---@param node any
---@return any # "try" | "catch" | "finally" | nil
function tree:part(node) end

---Every kind of node: {name=, doc=, leaf=, open=, parts=, branches= (each child is a line), at_once= (and
---they run at once), targets=, params= list of {name=, unit=, doc=, value=, lower=, upper=}}.
---@return table # list
function nodes.kinds() end

---The statuses that changed since it was asked last, packed: see docs/analysis/store.md; nil: none.
---@return string # text | nil
function tree:pack() end

---Of those of the nodes that changed that have failed, for another reason than when it was asked last: one
---after the other their ids and the reasons; nil: of none. To be asked before tree:pack and tree:changes.
---@return table # list | nil
function tree:words() end

---What its nodes are, as JSON: [kind or leaf, name, parent (0: none), id] of each.
---@return string # text
function tree:described() end

---The numbers of the nodes that changed since it was asked last, each once; nil: none. `keep`: they stay
---changed.
---@param keep? any
---@return table # list | nil
function tree:changes(keep) end

---How it stands, as numbers that tree:restore takes.
---@return table # list
function tree:save() end

---Goes on as another tree of the same plan stood, whose times were earlier by `shift` s: what is done stays
---done, leaves that ran begin anew with the next tick. When the list is none of this plan, it begins from the
---root.
---@param list table
---@param now any
---@param shift any
---@return boolean? # true | nil, sentence, code
---@return string? sentence
---@return string? code
function tree:restore(list, now, shift) end

return nodes
