--- Names of the runs in a store: a number, or a name of the behavior or robot (docs/analysis/runs.md).
local names = {}

--- The possible names of a run, for error messages.
names.expected = "a number, last, a piece of a behavior's or robot's name, or FILE#NUMBER"

--- A word as the number of a run; nil: it is not a number.
---@param word string
---@return integer?
function names.number(word) return math.tointeger(tonumber(word)) end

local function base(path) return type(path) == "string" and path:match "[^/]*$" or "" end

--- Whether a row has exactly this name: its behavior, with or without folder, with or without .lua; or its
--- robot.
local function is_called(row, name)
  local file = base(row.behavior)
  return row.behavior == name or file == name or file:gsub("%.lua$", "") == name or row.robot == name
end

local function has_piece(row, name)
  return base(row.behavior):find(name, 1, true) ~= nil
    or type(row.robot) == "string" and row.robot:find(name, 1, true) ~= nil
end

--- The rows {behavior, robot} with a name: those with exactly this name; if there are none, those whose
--- behavior's file or robot contains it.
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

--- The number of the newest run whose behavior or robot has this name; nil, sentence if there is none.
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
