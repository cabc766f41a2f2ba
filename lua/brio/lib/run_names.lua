--- What a run of a store is called: by its number, or as its behavior or robot is (docs/analysis/runs.md).
local names = {}

--- What a run may be called, for error messages.
names.expected = "a number, last, a piece of a behavior's or robot's name, or FILE#NUMBER"

--- The number that a word is; nil: it is none.
---@param word string
---@return integer?
function names.number(word) return math.tointeger(tonumber(word)) end

local function base(path) return type(path) == "string" and path:match "[^/]*$" or "" end

--- Whether a row is called exactly so: its behavior, with folder or without, with .lua or without; or its
--- robot.
local function is_called(row, name)
  local file = base(row.behavior)
  return row.behavior == name or file == name or file:gsub("%.lua$", "") == name or row.robot == name
end

local function has_piece(row, name)
  return base(row.behavior):find(name, 1, true) ~= nil
    or type(row.robot) == "string" and row.robot:find(name, 1, true) ~= nil
end

--- The rows {behavior, robot} that a name means: those that are called exactly so; if there are none, those
--- whose behavior's file or robot has it as a piece.
---@param rows table[]
---@param name string
---@return table[]
function names.named(rows, name)
  for _, fits in ipairs { is_called, has_piece } do
    local found = {}
    for _, row in ipairs(rows) do
      if fits(row, name) then found[#found + 1] = row end
    end
    if #found > 0 then return found end
  end
  return {}
end

--- The newest run whose behavior or robot is called so: its number; nil, sentence where none is.
---@param db userdata from brio.store
---@param name string
---@return integer? number, string? why
function names.newest(db, name)
  local rows, why = db:query "SELECT id AS run, behavior, robot FROM runs ORDER BY id DESC"
  if not rows then return nil, why end
  local found = names.named(rows, name)[1]
  if found then return found.run end
  return nil, ("'%s' is no run of this store: %s is expected"):format(name, names.expected)
end

return names
