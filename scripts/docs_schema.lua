--- Generates docs/reference/tables.md and docs/annotations/tables/ from the schemas of the tables that
--- people write.
---     build/brio lua scripts/docs_schema.lua [--check]
--- --check writes nothing and fails if a file is out of date.
package.path = "scripts/make/?.lua;" .. package.path
local generated = require "generated"
local tables = require "brio.commands.schema.tables"

local introduction = [[
# Tables that people write

Made by `scripts/docs_schema.lua` from the records by which these tables are checked. `brio schema` lists
them, `brio schema NAME` prints one, with `--json` for other programs and for editors. Objectives and nodes of
trees have pages of their own, [objectives](../behaviors/objectives.md) and [trees](../trees/trees.md#nodes);
`brio schema` has them too, as `want.NAME` and `node.NAME`. A field that is not here is refused, with the
nearest name.

What a program gets by `brio schema NAME --json` is `{ name, doc, where, page, class, fields }`, each field
`{ name, type, unit, lower, upper, above, default, needed, of, fields, doc, example, lua }`; what does not
apply is left out. `of`: the choices, or what the items are; `fields`: those of a table inside; `lua`: its
type for the Lua language server.
]]

-- The page ----------------------------------------------------------------------------------------

local function cell(text) return (text:gsub("|", "\\|"):gsub("\n", " ")) end

local function section(row)
  local out = { ("## %s\n"):format(row.name), ("%s: `%s`. See [the page](../%s).\n"):format(
    row.doc:gsub("^%l", string.upper), row.where, row.page), "| field | type | range | default | meaning |",
    "| --- | --- | --- | --- | --- |" }
  for _, one in ipairs(tables.flat(row.fields)) do
    local field = one.field
    local meaning = (field.doc or "") .. (field.example and (": `%s`"):format(field.example) or "")
    out[#out + 1] = ("| `%s` | %s | %s | %s | %s |"):format(one.name, cell(tables.type_of(field)),
      cell(tables.range_of(field)), cell(tables.default_of(field)), cell(meaning))
  end
  return table.concat(out, "\n") .. "\n"
end

-- The annotations ---------------------------------------------------------------------------------

local lua_types = { whole = "integer", vector = "number[]", pose = "brio.Pose", record = "table",
  skill = "string|function", node = "string|integer", text = "string" }

--- The language server's type of a field.
local function lua_type(field)
  if field.lua then return field.lua end
  if field.type == "choice" then
    local words = {}
    for index, word in ipairs(field.of) do
      words[index] = type(word) == "number" and word or ("%q"):format(word)
    end
    return table.concat(words, "|")
  end
  if field.type == "list" then return (field.of and lua_type(field.of) or "any") .. "[]" end
  if field.type == "map" then
    return ("table<string, %s>"):format(field.of and lua_type(field.of) or "table")
  end
  if field.fields then
    local parts = {}
    for index, inner in ipairs(field.fields) do
      parts[index] = ("%s%s: %s"):format(inner.name, inner.needed and "" or "?", lua_type(inner))
    end
    return (field.type:find "^boolean" and "boolean|{ " or "{ ") .. table.concat(parts, ", ") .. " }"
  end
  return lua_types[field.type] or (field.type:gsub(" or ", "|"))
end

local function annotation(row)
  local out = generated.comment("--- ", ("%s: %s"):format(row.doc, row.where))
  table.insert(out, 1, "")
  out[#out + 1] = "---@class " .. row.class
  for _, field in ipairs(row.fields) do
    local range, default = tables.range_of(field), field.needed and "" or tables.default_of(field)
    local words = { field.doc, range ~= "" and range or nil }
    if default ~= "" then words[#words + 1] = "default " .. default end
    out[#out + 1] = generated.field(field.name .. (field.needed and "" or "?"), lua_type(field),
      table.concat(words, "; "))
  end
  return table.concat(out, "\n")
end

--- The beginning of the annotations of a topic, which is a folder of docs.
local heading = [[
---@meta
-- luacheck: ignore 631
--- Made from the records of the tables that people write (docs/%s) by scripts/docs_schema.lua.]]

-- Writing -----------------------------------------------------------------------------------------

local writer = generated.writer("build/brio lua scripts/docs_schema.lua", arg[1] == "--check")

local page, notes, topics = { introduction }, {}, {}
for _, row in ipairs(tables.all()) do
  page[#page + 1] = section(row)
  if row.class then
    local topic = row.page:match "^[^/]+"
    if not notes[topic] then
      topics[#topics + 1] = topic
      notes[topic] = { heading:format(topic) }
    end
    table.insert(notes[topic], annotation(row))
  end
end
writer:write("docs/reference/tables.md", table.concat(page, "\n"))
for _, topic in ipairs(topics) do
  writer:write(("docs/annotations/tables/%s.lua"):format(topic), table.concat(notes[topic], "\n") .. "\n")
end
writer:finish()
