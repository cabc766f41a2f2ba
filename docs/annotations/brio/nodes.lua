---@meta
-- luacheck: ignore 212 241 631
--- Made from engine/lua/tree/lua_nodes.c by scripts/docs.lua.

---@class brio.nodes
local nodes = {}

---@class brio.nodes.tree
local tree = {}

---Creates a tree from a list of nodes in depth-first order, {kind=, name=, is= name of the leaf, for kinds
---that call, parent= index in the list, 0: the root, id=, after= "previous", "beginning", "node", "all" or
---"whole", anchor= name, to= name, part=, and the kind's parameters}, with `anchor_id` and `to_id`, ids of
---nodes, instead of names; or one that runs the same plan as another tree. work(node, unit, fresh, elapsed)
---executes a leaf: it returns nil to continue, true, or false and the reason. For a `choose` it is called in
---each tick, and may return the child to run from now on, from 1. stop(node, unit) and pause(node, unit, on)
---are called when the leaf is stopped or held from outside.
---@param list table
---@param work? any
---@param stop? any
---@param pause? any
---@return brio.nodes.tree? # tree | nil, sentence, code
---@return string? sentence
---@return string? code
function nodes.new(list, work, stop, pause) end

---Returns a tree, at rest, whose plan is this one's after a list of edits, in which nodes are given by their
---ids: {verb= "insert", parent=, before= its child, nil: at its end, list= a node and its descendants, as in
---nodes.new}, {verb= "remove", node=}, {verb= "move", node=, parent=, before=}, {verb= "set", node=,
---record=}. The list has the old number of each node; for inserted ones, minus the index among all inserted.
---This tree does not change: see tree:migrate.
---@param edits any
---@return brio.nodes.tree? # tree, list | nil, sentence, code
---@return string? sentence
---@return string? code
function tree:edited(edits) end

---Does one tick, at time `now` (s). Returns "running", "idle" (it waits for a person), "success" or
---"failure". `self` is the argument of functions of tree:asks.
---@param now any
---@param self? any
---@return any # status
function tree:work(now, self) end

---Sets functions for conditions: list[node] is called in place of `work`, with the `self` of tree:work
---only; the leaf succeeds if it returns true, else it fails. nil removes them. Numbers are those of the
---current plan.
---@param list table
function tree:asks(list) end

---Begins again from the root, automatically.
function tree:begin() end

---Stops everything that runs.
function tree:halt() end

---Stops running nodes and clears failures; the next node stays next.
function tree:reset() end

---Whether leaves begin automatically; sets it.
---@param on? any
---@return any # on
function tree:automatic(on) end

---Lets the next concurrent set begin with the next tick.
function tree:step() end

---Off: one unit at a time.
---@param on any
function tree:concurrency(on) end

---The number of the next node in the root's line, nil at its end; sets it.
---@param node? any
---@return any # node | nil
function tree:next(node) end

---Holds a running node, or releases it.
---@param node any
---@param on any
function tree:pause(node, on) end

---Ends a running node, as failed, after `delay` (0) s.
---@param node any
---@param delay? any
function tree:stop(node, delay) end

---The tree stops automatically before this node.
---@param node any
---@param on any
function tree:breakpoint(node, on) end

---Stops a running node and begins it again in its place with the next tick.
---@param node any
function tree:again(node) end

---Stops the nodes that tree:migrate would stop, so that they can be recorded by their old numbers.
---@param other any
function tree:prepare(other) end

---Migrates to another tree's plan, as returned by tree:edited: a running node continues if the new plan has
---it, by its id, with the same kind and in the same line; other running nodes are stopped, by their old
---numbers. See docs/trees/trees.md.
---@param other any
function tree:migrate(other) end

---The number of completed turns of a running loop, or of failures of a retry, so far.
---@param node any
---@return number # count
function tree:turn(node) end

---The status of a node, the seconds of its current or last run, and the reason of its failure (nil:
---unknown).
---@param node any
---@return any # status, seconds, why
function tree:status(node) end

---The numbers of the leaves and closed nodes that run, outer ones first.
---@return table # list
function tree:running() end

---The numbers of the nodes that a step would begin: of each line that waits for one, the next concurrent
---set.
---@return table # list
function tree:coming() end

---Every kind of node: {name=, doc=, leaf=, open=, parts=, branches= (each child is a line), at_once= (and
---they run at once), targets=, params= list of {name=, unit=, doc=, value=, lower=, upper=}}.
---@return table # list
function nodes.kinds() end

---The statuses that changed since the last call, packed: see docs/analysis/store.md; nil: nothing changed.
---@return string # text | nil
function tree:pack() end

---The nodes that changed and failed for another reason than at the last call: their ids and reasons
---alternately; nil: there are none. Call it before tree:pack and tree:changes.
---@return table # list | nil
function tree:words() end

---Its nodes, as JSON: [kind or leaf, name, parent (0: none), id] of each.
---@return string # text
function tree:described() end

---The numbers of the nodes that changed since the last call, each once; nil: there are none. With `keep`
---the next call returns them again.
---@param keep? any
---@return table # list | nil
function tree:changes(keep) end

---Its state, as numbers for tree:restore.
---@return table # list
function tree:save() end

---Continues from the state of another tree of the same plan, whose times were earlier by `shift` s: completed
---nodes stay completed, running leaves begin again with the next tick. If the list does not fit this plan, it
---begins from the root.
---@param list table
---@param now any
---@param shift any
---@return boolean? # true | nil, sentence, code
---@return string? sentence
---@return string? code
function tree:restore(list, now, shift) end

---The number of the node with that id.
---@param id string
---@return any # node | nil
function tree:find(id) end

---The id of a node, which edits do not change.
---@param node any
---@return any # id
function tree:id(node) end

---The number of its parent, 0 for the root, and of its last descendant.
---@param node any
---@return any # node, last
function tree:parent(node) end

---The units of its line that it waits for before it begins, by their numbers; no results: it waits for
---none.
---@param node any
---@return any # first, last
function tree:waits(node) end

---The target of a goto or gosub; nil: the next node, or another kind.
---@param node any
---@return any # node | nil
function tree:target(node) end

---The part of the fallback that a node is in; nil: its parent is not a fallback.
---@param node any
---@return any # "try" | "catch" | "finally" | nil
function tree:part(node) end

return nodes
