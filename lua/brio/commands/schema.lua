--- `brio schema`: the fields of every table that people write.
local cli, suggest = require "brio.terminal.cli", require "brio.lib.suggest"
local tables = require "brio.commands.schema.tables"

local command = {
  name = "schema",
  summary = "print the fields of every table that people write: types, units, ranges, defaults",
  usage = "brio schema [NAME] [--json]    (NAME: state, run, want.look_at, node.wait, ...; none: their list)",
  options = { { "json", nil, "print them as JSON, for other programs and editors" } },
}

local function show_list(list)
  for _, row in ipairs(list) do print(("%-28s %s"):format(row.name, row.doc or "")) end
end

local function show(row)
  print(("%s: %s\n%s\n"):format(row.name, row.doc or "", row.where))
  for _, one in ipairs(tables.flat(row.fields)) do
    local field, words = one.field, {}
    for _, word in ipairs { tables.type_of(field), tables.range_of(field), field.needed and "required"
      or "" } do
      if word ~= "" then words[#words + 1] = word end
    end
    local default = not field.needed and tables.default_of(field) or ""
    if default ~= "" then words[#words + 1] = "default " .. default end
    print(("  %-22s %s%s"):format(one.name, table.concat(words, ", "), field.doc and ": " .. field.doc or ""))
  end
end

function command.run(args)
  if #args > 1 then
    cli.error("schema expects one name: %s", command.usage)
    return 2
  end
  local list, names, found = tables.all(true), {}, nil
  for index, row in ipairs(list) do
    names[index] = row.name
    if row.name == args[1] then found = row end
  end
  if args[1] and not found then
    cli.error("there is no table '%s'%s: `brio schema` lists them", args[1], suggest.hint(args[1], names))
    return 2
  end
  if args.json then print(require("brio.store").json(found or require("brio.store").array(list)))
  elseif found then show(found)
  else show_list(list) end
  return 0
end

return command
