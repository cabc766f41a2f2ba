--- Files of behavior trees: Lua tables, JSON, and trees of other programs, each read once for all its uses.
---
--- A document is { form =, file =, text = }, and the result of files.index.  Its uses do not change it.
local clip = require "brio.formats.clip"
local dispatch = require "brio.io.dispatch"
local document = require "brio.formats.json"
local paths = require "brio.lib.paths"
local sandbox = require "brio.behavior.sandbox.sandbox"
local shape = require "brio.tree.model.form"
local suggest = require "brio.lib.suggest"

local files = {}

--- Maximum depth of nested tables in a file.
files.deepest = 400

local null = document.null

--- The error in data that must be plain, in words; nil: none.  JSON's null is omitted.  `heights`: the
--- nesting depth of tables that were already checked, since a table may occur in several places.
local function fault_of_data(value, depth, heights)
  if depth > files.deepest then
    return "tables stand inside each other too deep: a table that holds itself?"
  end
  if heights[value] then
    return depth + heights[value] > files.deepest and "tables stand inside each other too deep" or nil
  end
  if getmetatable(value) ~= nil then return "a tree in a file is plain data" end
  local height = 0
  if math.type(value.id) == "float" then value.id = math.tointeger(value.id) or value.id end
  for key, item in next, value do
    if item == null then value[key] = nil
    elseif type(item) == "table" then
      local fault = fault_of_data(item, depth + 1, heights)
      if fault then return fault end
      height = math.max(height, heights[item] + 1)
    elseif type(item) == "function" or type(item) == "userdata" or type(item) == "thread" then
      return ("'%s' is a %s: a tree in a file is plain data, and names what the behavior's skills do"):format(
        tostring(key), type(item))
    end
  end
  heights[value] = height
end

local function without_traceback(message) return message:match "^(.-)\nstack traceback" or message end

local readers = {}

--- The table that a Lua file returns.
function readers.lua(path, context)
  local chunk, why = sandbox.load(path, { pi = math.pi }, context.sources, context.files)
  if not chunk then return nil, why end
  local good, made = dispatch.call(nil, dispatch.load, chunk)
  if not good then return nil, without_traceback(made) end
  return made
end

--- A tree of another program.
local function imported(text, path, context)
  local function read(name) return (sandbox.text(name, context.sources, context.files)) end
  local loaded, why = require("brio.formats.tree.readers").load(text, path, read)
  if not loaded then return nil, why end
  local trees = {}
  for _, tree in ipairs(loaded.trees) do trees[tree.name or ""] = tree.form end
  if not loaded.trees[1] then return nil, path .. ": no tree is in it" end
  return loaded.trees[1].form, nil, trees, loaded.lines
end

function readers.json(path, context)
  local text, why = sandbox.text(path, context.sources, context.files)
  if not text then return nil, why end
  if require("brio.formats.tree.readers").find(text) then return imported(text, path, context) end
  local good, form = pcall(document.json, text, path)
  if not good then return nil, clip.failure(form) or tostring(form) end
  if type(form) ~= "table" or shape.kind(form) or #form > 0 then return form end
  return nil, ("%s is JSON, but not a tree: its root is an object of %s, but a node has a kind, as in \z
    [\"sequence\", ...] "
    .. "or {\"type\": \"ActionSequenceDefinition\", ...}"):format(path,
      table.concat(suggest.keys(form), ", "):sub(1, 200))
end

function readers.xml(path, context)
  local text, why = sandbox.text(path, context.sources, context.files)
  if not text then return nil, why end
  return imported(text, path, context)
end

--- Make a document of a form.
function files.document(form, file, text) return { form = form, file = file, text = text } end

--- Key of a node within its document: its id, its name if that is unique, else its position.
local function key_of(described, node, number, name)
  if described.id_of[node] then return tostring(described.id_of[node]) end
  return #described.names[name] == 1 and "'" .. name .. "'" or "#" .. number
end

--- Index a document, once: list = its nodes in depth-first order, names = {name = list of numbers}, ids =
--- {id = number}, keys = the key of each node.  Return it, or nil and a sentence: an id occurs twice.
function files.index(described)
  if described.list then return described end
  local list, names, ids, keys, fault = {}, {}, {}, {}, nil
  described.names, described.ids, described.keys, described.id_of = names, ids, keys, {}
  shape.each(described.form, function(node)
    local number, name = #list + 1, shape.name(node)
    list[number] = node
    names[name] = names[name] or {}
    table.insert(names[name], number)
    local id = math.tointeger(node.id)
    if id and ids[id] and list[ids[id]] ~= node then
      fault = fault or ("the id %d is used twice"):format(id)
    end
    if id then ids[id], described.id_of[node] = number, id end
  end)
  if fault then return nil, fault end
  for number, node in ipairs(list) do keys[number] = key_of(described, node, number, shape.name(node)) end
  described.list = list
  return described
end

--- The path for a name in a file: relative to the file's folder.
function files.path(name, file)
  return paths.beside(file or "", name)
end

--- Read a file's document, once for each in context.documents.  context: documents, sources and files (see
--- sandbox.load).  Return it, or nil and a sentence.
function files.read(path, context)
  local known = context.documents[path]
  if known then return known end
  local reader = readers[path:match "%.(%a+)$" or ""]
  if not reader then return nil, ("%s: a tree is in a file .lua, .json or .xml"):format(path) end
  local form, why, trees, lines = reader(path, context)
  if form == nil then return nil, why end
  if type(form) ~= "table" then
    return nil, ("%s: must be the table of a tree, not a %s"):format(path, type(form))
  end
  local fault, made = fault_of_data(form, 0, {}), files.document(form, path, context.sources[path])
  if fault then return nil, ("%s: %s"):format(path, fault) end
  made.trees, made.line_of = trees, lines
  context.documents[path] = made
  return made
end

--- Whether a file is only a tree, not a behavior: data, or a Lua file that returns a plain table.
function files.is_tree(path)
  local ending = path:match "%.(%a+)$"
  if ending ~= "lua" then return readers[ending] ~= nil end
  local text = sandbox.read(path)
  local chunk = text and load(text, "=tree", "t", { pi = math.pi })
  local good, made = false, nil
  if chunk then good, made = dispatch.call(nil, dispatch.load, chunk) end
  return good and type(made) == "table" and getmetatable(made) == nil
end

-- Lines -----------------------------------------------------------------------------------------------------

--- The lines in which the nodes of a JSON text begin, in depth-first order.
local function lines_of_json(described)
  local ordered, list = require "brio.formats.ordered", {}
  local function node(value)
    if value.kind ~= "object" then return end
    list[#list + 1] = value.line
    for _, key in ipairs { "children", table.unpack(shape.parts) } do
      local item = value.of[key]
      for _, child in ipairs(item and item.kind == "list" and item or {}) do node(child) end
    end
  end
  node(ordered.json(described.text, described.file))
  return list
end

--- The line of node `number` of a document (`described`); 0 if unknown.
function files.line(described, number)
  if not described.text then return 0 end
  if described.file:match "%.json$" and not described.trees then
    described.lines = described.lines or lines_of_json(described)
    return described.lines[number] or 0
  elseif described.trees then
    local node = files.index(described) and described.list[number]
    return node and described.line_of and described.line_of[node] or 0
  end
  local list = {}
  for index, node in ipairs(files.index(described) and described.list or {}) do
    list[index] = { name = shape.name(node) }
  end
  if not list[number] then return 0 end
  local faults = require "brio.behavior.sandbox.faults"
  return faults.line_of_node(described.file, described.text, nil, list, number)
end

return files
