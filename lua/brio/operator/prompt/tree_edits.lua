--- The words after `tree` that edit it while it runs: rows for trees.lua.
---
--- Nodes are found in the running tree, by its printed numbers; tree/editing/author.lua makes an edit from
--- its author's view, and the session of the state's tree (tree/editing/session.lua) applies it, completely
--- or not at all.
local author = require "brio.tree.editing.author"
local data = require "brio.tree.editing.data"
local fields = require "brio.lib.fields"
local find = require "brio.tree.execution.find"
local frames = require "brio.perception.frames"
local geometry = require "brio.lib.geometry"
local links = require "brio.tree.editing.channel"
local mirrors = require "brio.tree.editing.mirror"
local sessions = require "brio.tree.editing.session"
local shared = require "brio.tree.editing.shared"
local suggest = require "brio.lib.suggest"
local trees = require "brio.tree.model.tree"

local edits = {}

-- Arguments -------------------------------------------------------------------------------------------------

--- The session of the tree that is meant.  Return it, or nil and the reason.
local function session_of(at) return sessions.ask(at.host, at.state) end

--- The session, and the document's id of the node that is meant; or nil and the reason.
local function node_of(at, text)
  local session, why = session_of(at)
  if not session then return nil, why end
  local number
  number, why = find.node(session.compiled, text)
  if not number then return nil, why end
  local id = session:id(number)
  if id then return session, id, number end
  local other, there = shared.of_node(at.host, at.state, number)
  if other then return other, there, number end
  return nil, ("%d %s is in another file, which this tree uses: %s"):format(number,
    session.compiled.list[number].name, there)
end

--- Apply an edit, and report it to everybody.
local function apply(at, session, op, why)
  if not op then return nil, why end
  local done
  done, why = session:edit(op, at.request.who)
  if not done then return nil, why end
  local says = done.says
  if session.places then
    says = ("%s, in %s, which is used %d times"):format(says, session.path, session:places())
  end
  at.tell(("%s: %s"):format(at.request.who, says))
  return says
end

--- The fields that a kind of node may have, by name.
local function fields_of(kind)
  local known = { name = "string", notes = "string", after = "any" }
  for name, field in next, trees.kinds[kind] and trees.kinds[kind].fields or {} do known[name] = field end
  return known
end

--- Types of fields whose values are entered without quotes.
local wordy = { string = true, choice = true, node = true }

--- Parse a value: Lua if it looks like it, else the text as it is; `nothing`: no value.
local function read_value(at, text, field)
  if text == "nothing" then return author.none end
  local quoted = text:match '^"(.*)"$' or text:match "^'(.*)'$"
  local plain = type(field) == "table" and field[1] or field
  if quoted and not quoted:find '["\\]' then return quoted end
  if wordy[plain] then return text end
  if text:match "^[%-%d%.{]" or text == "true" or text == "false" or plain == "number"
      or plain == "whole" then
    local called, good, value = pcall(at.prompt.value, at.prompt, text)
    if called and good and value ~= nil then return value end
    if plain ~= "any" or text:match "^{" then return nil, ("'%s' is no value for it"):format(text) end
  end
  return text
end

--- Parse "NODE FIELD VALUE", where NODE and VALUE may contain blanks.  Return NODE's text, FIELD, VALUE's
--- text and the field, or nil and the reason.
local function split(at, rest)
  local session, why = session_of(at)
  if not session then return nil, why end
  local list, longest = session.compiled.list, nil
  local quoted = rest:match '^"[^"]*"' or ""
  for stop, field, start in rest:sub(#quoted + 1):gmatch "()%s+()[%a_][%w_]*()" do
    local text = rest:sub(1, #quoted + stop - 1)
    field = rest:sub(#quoted + field, #quoted + start - 1)
    local number, fault = find.node(session.compiled, text)
    local known = number and fields_of(list[number].is)
    if known and known[field] then
      return text, field, rest:sub(#quoted + start):match "^%s*=?%s*(.-)%s*$", known[field]
    end
    if known then
      longest = ("%s has no field '%s'%s"):format(list[number].is, field,
        suggest.hint(field, suggest.keys(known)))
    end
    longest = longest or fault
  end
  return nil, longest or "say tree set NODE FIELD VALUE"
end

local places = { behind = true, before = true, into = true }

--- Parse "... behind|before|into [the beginning of] NODE": the text before it, and the place; or nil and the
--- reason.
local function read_place(at, rest)
  local before, word, text
  for stop, found, start in rest:gmatch "()%f[%a](%a+)%f[%A]()" do
    if places[found] and rest:sub(start):match "^%s+%S" then
      before, word, text = rest:sub(1, stop - 1), found, rest:sub(start):match "^%s*(.-)%s*$"
    end
  end
  if not word then return nil, "say where: behind NODE, before NODE or into NODE" end
  local part, inner = text:match "^(%a+)%s+of%s+(.+)$"
  local parts = { try = true, catch = true, finally = true }
  if word ~= "into" or not (parts[part] or part == "beginning") then part, inner = nil, nil end
  local session, id = node_of(at, inner or text)
  if not session then return nil, id end
  local place = { [word] = id, part = parts[part] and part or nil, first = part == "beginning" or nil }
  return before:match "^%s*(.-)%s*$", place, session
end

--- Add to a snapshot (tree/model/view.lua) what differs from the saved state: `unsaved`, and the visible
--- nodes in `changed`.
function edits.mark(host, name, made)
  local session = sessions.all(host)[name]
  if not session or not session.document:unsaved() then return end
  made.unsaved, made.changed = true, {}
  for number = made.first, made.first + #made.s - 1 do
    local id = session:id(number)
    if id and session.document:unsaved(id) then made.changed[#made.changed + 1] = number end
  end
end

-- The words -------------------------------------------------------------------------------------------------

local function set(at, rest)
  local text, field, value, kind = split(at, rest)
  if not text then return nil, field end
  local session, id = node_of(at, text)
  if not session then return nil, id end
  if value == "" then return nil, ("say the value of %s, or nothing"):format(field) end
  local made, why = read_value(at, value, kind)
  if made == nil then return nil, why end
  if made == author.none then made = nil end
  return apply(at, session, author.set(session.document, id, field, made))
end

local function rename(at, rest)
  local text, name = rest:match "^(.-)%s+to%s+(.+)$"
  if not text then return nil, "say tree rename NODE to NAME" end
  local session, id = node_of(at, text)
  if not session then return nil, id end
  return apply(at, session, author.rename(session.document, id, name:match '^"(.*)"$' or name))
end

local function set_kind(at, rest)
  local text, kind = rest:match "^(.-)%s+to%s+([%a_]+)$"
  if not text then return nil, "say tree kind NODE to KIND" end
  if not trees.kinds[kind] then
    return nil, ("there is no kind of node '%s'%s"):format(kind,
      suggest.hint(kind, suggest.keys(trees.kinds)))
  end
  local session, id = node_of(at, text)
  if not session then return nil, id end
  return apply(at, session, author.kind(session.document, id, kind))
end

--- The default goal of a new node that needs one: the robot's present position.
local function fill_in(at, kind, op)
  local leaf = trees.kinds[kind].record
  if not (op and at.site and leaf and leaf.capture and leaf.fault) then return end
  local node = op.nodes[1]
  local form = fields.filled(node.fields, trees.kinds[kind].fields)
  if not leaf.fault(form, at.site) then return end
  for field, value in next, leaf.capture(form, at.site) or {} do
    node.fields[field] = value ~= author.none and data.copy(value) or nil
  end
end

--- The operation that inserts a new node: KIND [NAME | { fields }], or a whole { "kind", ... }.
local function new_node(at, what, place, session)
  local ids = session:ids()
  if what:match "^{" then
    local good, form = at.prompt:value(what)
    if not good then return nil, form end
    return author.insert(session.document, place, form, ids)
  end
  local kind, more = what:match "^([%a_]+)%s*(.*)$"
  if not kind then
    return nil, "say what: a kind of node, with a name or { fields }, or a whole node as a table"
  end
  if not trees.kinds[kind] then
    return nil, ("there is no kind of node '%s'%s"):format(kind,
      suggest.hint(kind, suggest.keys(trees.kinds)))
  end
  local said = {}
  if more:match "^{" then
    local good, value = at.prompt:value(more)
    if not good then return nil, value end
    said = value
  elseif more ~= "" then
    said.name = more:match '^"(.*)"$' or more
  end
  local op, why = author.new(session.document, place, kind, ids, said)
  fill_in(at, kind, op)
  return op, why
end

local function insert(at, rest)
  local what, place, session = read_place(at, rest)
  if not what then return nil, place end
  return apply(at, session, new_node(at, what, place, session))
end

local function duplicate(at, rest)
  local session, id = node_of(at, rest)
  if not session then return nil, id end
  return apply(at, session, author.duplicate(session.document, id, session:ids()))
end

local function move(at, rest)
  local what, place, session = read_place(at, rest)
  if not what then return nil, place end
  local good, id = node_of(at, what)
  if not good then return nil, id end
  return apply(at, session, author.move(session.document, id, place))
end

local function delete(at, rest)
  local text = rest:match "^(.-)%s+release$"
  local session, id = node_of(at, text or rest)
  if not session then return nil, id end
  return apply(at, session, author.delete(session.document, id, text ~= nil))
end

--- mirror NODE [copy]
local function mirror(at, rest)
  local text = rest:match "^(.-)%s+copy$"
  local session, id = node_of(at, text or rest)
  if not session then return nil, id end
  local host = at.host
  local m = mirrors.new { description = host.description, sequences = host.sequences,
    skills = host.definition.fields.skills }
  local op, why
  if text then op, why = mirrors.copy(session.document, id, session:ids(), m)
  else op, why = mirrors.operation(session.document, id, m) end
  local says
  says, why = apply(at, session, op, why)
  if not says then return nil, why end
  return table.concat({ says, table.unpack(m.said or {}) }, "; ")
end

--- undo, redo: only of the person's own edits
local function again(verb, list)
  return function(at, rest)
    local session, why = session_of(at)
    if not session then return nil, why end
    session = shared.newest(session, at.request.who, list)
    local done
    done, why = session[verb](session, at.request.who, rest == "skip")
    if not done then return nil, why end
    at.tell(("%s: %s"):format(at.request.who, done.says))
    return done.says
  end
end

local function save(at, rest)
  local session, why = session_of(at)
  if not session then return nil, why end
  local said, list = {}, shared.unsaved(at.host)
  if rest ~= "" or #list == 0 or session.document:unsaved() then table.insert(list, 1, session) end
  for index, one in ipairs(list) do
    said[index], why = one:save(rest ~= "" and index == 1 and rest or nil)
    if not said[index] then
      return nil, table.concat({ table.concat(said, "; "), why }, index > 1 and "; " or "")
    end
  end
  return table.concat(said, "; ")
end

--- The field of a kind of node that holds a pose, or nil.
local function pose_field(kind)
  for _, name in ipairs { "pose", "axis" } do
    local field = kind.fields[name]
    if type(field) == "table" and field[1] == "pose" then return name end
  end
end

local function rounded(list)
  local made = {}
  for index, value in ipairs(list) do made[index] = math.floor(value * 1e6 + 0.5) / 1e6 end
  return made
end

--- The present pose of a frame, as the fields of a node that goes there; nil and the reason.
local function frame_pose(kind, form, site, name)
  local field = pose_field(kind)
  if not field then
    return nil, ("%s has no pose that a frame could give"):format(kind.record and kind.record.name or "it")
  end
  local base, why = frames.pose(site, form.frame)
  local there, sentence = frames.pose(site, name)
  if not base or not there then return nil, why or sentence end
  local pose, said = geometry.within(geometry.inverse(base), there), form[field]
  local made = { [field] = {
    position = (not said or said.position) and rounded(pose.position) or nil,
    orientation = (not said or said.orientation) and rounded(pose.orientation) or nil } }
  for _, other in ipairs { "joints", "preset", "waypoints" } do
    if form[other] ~= nil and kind.fields[other] then made[other] = author.none end
  end
  return made
end

--- capture NODE [from FRAME]: stores the robot's present pose, or a frame's, in a node
function edits.capture(at, rest)
  if not at.site then return nil, "no tree runs: the robot's pose is captured into one that does" end
  local text, frame = rest:match "^(.-)%s+from%s+(.+)$"
  local session, id, number = node_of(at, text or rest)
  if not session then return nil, id end
  local record = session.compiled.list[number]
  local kind = trees.kinds[record.is]
  local leaf = kind and kind.record
  if not (leaf and leaf.capture) then
    local names = {}
    for _, name in ipairs(suggest.keys(trees.kinds)) do
      local other = trees.kinds[name].record
      if other and other.capture then names[#names + 1] = name end
    end
    return nil, ("%s cannot take the robot's pose; these can: %s"):format(record.is,
      table.concat(names, ", "))
  end
  local now, why
  if frame then now, why = frame_pose(kind, record.values, at.site, frame)
  else now, why = leaf.capture(record.values, at.site) end
  if not now then return nil, why end
  return apply(at, session, author.fields(session.document, id, now, ("%s into %s"):format(
    frame and "where " .. frame .. " is" or "the robot's pose", record.name)))
end

--- Store the results of a node's computations in the node: a walk's plan as steps that can be edited one by
--- one.
local function convert(at, rest)
  if not at.site then return nil, "no tree runs: a plan begins where the robot is" end
  local session, id, number = node_of(at, rest)
  if not session then return nil, id end
  local record = session.compiled.list[number]
  local leaf = trees.kinds[record.is] and trees.kinds[record.is].record
  if not (leaf and leaf.convert) then
    return nil, ("%s has no plan that could be its own: a walk has"):format(record.is)
  end
  local made, gone = leaf.convert(record.values, at.site)
  if not made then return nil, gone end
  for _, field in ipairs(gone) do
    if session.document.nodes[id].fields[field] ~= nil then made[field] = author.none end
  end
  return apply(at, session, author.fields(session.document, id, made,
    ("the plan of %s is its own"):format(record.name)))
end

--- A message of a client that follows all edits (tree/editing/sync.lua); returns the answer to it.
local function follow(at, rest)
  local session, why = session_of(at)
  if not session then return nil, why end
  return links.answer(session, rest, at.request.who)
end

edits.list = {
  { name = "set", usage = "set NODE FIELD VALUE", takes = "node", edits = true, changes = true, run = set,
    summary = "set a field of a node; VALUE is Lua, or a text without quotes; nothing: remove the field" },
  { name = "rename", usage = "rename NODE to NAME", takes = "node", edits = true, changes = true,
    run = rename, summary = "rename a node; references to it follow" },
  { name = "kind", usage = "kind NODE to KIND", takes = "node", edits = true, changes = true, run = set_kind,
    summary = "change the kind of a node; common fields stay" },
  { name = "insert", usage = "insert KIND [NAME] behind|before|into NODE", takes = "kind", edits = true,
    changes = true,
    run = insert, summary = "insert a node; it inherits fields of the last similar one; { fields } for \z
      NAME, or a whole { node }" },
  { name = "duplicate", usage = "duplicate NODE", takes = "node", edits = true, changes = true,
    run = duplicate, summary = "copy a node with its content behind it" },
  { name = "move", usage = "move NODE behind|before|into NODE", takes = "node", edits = true, changes = true,
    run = move, summary = "move a node with its content; also into try of, catch of, finally of or \z
      beginning of NODE" },
  { name = "delete", usage = "delete NODE [release]", takes = "node", edits = true, changes = true,
    run = delete,
    summary = "delete a node with its content; release: nodes that wait for it wait for the one before" },
  { name = "mirror", usage = "mirror NODE [copy]", takes = "node", edits = true, changes = true, run = mirror,
    summary = "exchange left and right in a node with its content; copy: in a copy behind it" },
  { name = "convert", usage = "convert NODE", takes = "node", edits = true, changes = true, run = convert,
    summary = "plan a walk from the robot's position, and write its steps into the node" },
  { name = "undo", usage = "undo [skip]", takes = { "skip" }, edits = true, changes = true,
    run = again("undo", "done"),
    summary = "undo your last edit; skip: keep it, and go on to the one before" },
  { name = "redo", usage = "redo [skip]", takes = { "skip" }, edits = true, changes = true,
    run = again("redo", "undone"), summary = "redo the edit that you undid" },
  { name = "save", usage = "save [FILE]", summary = "write the tree to its file, or to another .lua or .json",
    edits = true, changes = true, run = save },
  { name = "sync", usage = "sync MESSAGE",
    summary = "for programs that edit and follow edits, as JSON (see below)", edits = true,
    changes = function(rest) return rest:find('"op"', 1, true) ~= nil end, run = follow },
}

return edits
