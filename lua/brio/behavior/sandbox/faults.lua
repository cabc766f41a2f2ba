--- The faults of a behavior's file, a list of {file, line, message}.  The line of a fault is searched in
--- the source only when a fault is found.
local faults = {}

--- A name is searched as a quoted word in the source, or as a key.
local Faults = {}
Faults.__index = Faults

function Faults:add(place, ...)
  self[#self + 1] = { file = self.file, line = self:line(place) or 0, message = string.format(...) }
end

local function add_line(index, word, line)
  local list = index[word]
  if not list then index[word] = { line }
  elseif list[#list] ~= line then list[#list + 1] = line end
end

--- The position at which each line of the source begins.
local function starts_of(source)
  local starts, at = { 1 }, 0
  repeat
    at = string.find(source, "\n", at + 1, true)
    starts[#starts + 1] = at and at + 1
  until not at
  return starts
end

--- The lines in which each plain word is quoted or is a key: an index, so that files of thousands of lines
--- are no problem.
local function index_of(source, starts)
  local index = {}
  for _, form in ipairs { "()[\"']([%w_%-]+)%f[\"']", "()%f[%w_]([%w_]+)%f[^%w_]%s*=" } do
    local line = 1
    for at, word in string.gmatch(source, form) do
      while starts[line + 1] and starts[line + 1] <= at do line = line + 1 end
      add_line(index, word, line)
    end
  end
  for _, list in next, index do table.sort(list) end
  return index
end

--- The first number in an ascending list that is at least `from`.
local function first_from(list, from)
  local low, high = 1, #list + 1
  while low < high do
    local middle = (low + high) // 2
    if list[middle] < from then low = middle + 1 else high = middle end
  end
  return list[low]
end

--- The text of a line.
function Faults:text(line)
  self.starts = self.starts or starts_of(self.source)
  local first, after = self.starts[line], self.starts[line + 1]
  return first and self.source:sub(first, after and after - 2 or -1) or ""
end

--- The first line of the source, from `from` on, with `word` in quotes or as a key.
local function line_of(self, word, from)
  self.starts = self.starts or starts_of(self.source)
  if not word:find("[^%w_%-]") then
    self.index = self.index or index_of(self.source, self.starts)
    return first_from(self.index[word] or {}, from or 1)
  end
  local escaped = word:gsub("%p", "%%%0")
  for line = from or 1, #self.starts do
    local text = self:text(line)
    if text:find("[\"']" .. escaped .. "[\"']") or text:find("%f[%w_]" .. escaped .. "%f[^%w_]%s*=") then
      return line
    end
  end
  return nil
end

--- A place in the source, searched only if there is a fault: the first line with `word` after the place
--- `from`; if there is none, `otherwise` (default: `from`).
function Faults:at(word, from, otherwise)
  return not self.trusted and { word = word, from = from, otherwise = otherwise or from } or nil
end

--- The first line of a behavior's state that ends at line `last`: the one that assigns its name.
function Faults:line_of_state(name, last)
  local pattern = "%." .. name:gsub("%p", "%%%0") .. "%s*="
  for line = last, 1, -1 do
    if self:text(line):find(pattern) then return line end
  end
  return last
end

--- The line of a place; a number is returned as it is.  A place that has a `line` is there, if its word is
--- nowhere.
function Faults:line(place)
  if type(place) ~= "table" then return place end
  return line_of(self, place.word, self:line(place.from)) or place.line or self:line(place.otherwise)
end

--- The line of a node of a state's tree, as far as its name determines it: of nodes with one name, each is
--- searched after the one before.  `list`: the tree's records.
function faults.line_of_node(file, source, from, list, number)
  local self, line = faults.new(file, source), nil
  from = self:line(from)
  for index = 1, number do
    if list[index].name == list[number].name then
      line = line_of(self, list[number].name, line and line + 1 or from) or line
    end
  end
  return line or line_of(self, list[number].name) or from or 0
end

--- Split a message of Lua: the file, which is a key of `files`, the line, and the message; nil if it is
--- from none of them. Of a long file name Lua reports only the end, after "...".
function faults.origin(message, files)
  local where, line, rest = message:match "^(.-):(%d+): (.*)$"
  if not where then return nil end
  local file = files[where] and where
  local tail = where:match "^%.%.%.(.+)$"
  for name in next, not file and tail and files or {} do
    if type(name) == "string" and name:sub(-#tail) == tail then file = name end
  end
  if file then return file, math.tointeger(line), rest end
end

--- A message of Lua as a fault: of the file that it names if that is in `sources`, {file = text}, else of
--- `file`.
function faults.of_message(file, sources, message)
  local own, line, rest = faults.origin(message, sources)
  if own then return { file = own, line = line, message = rest } end
  return { file = file, line = 0, message = message }
end

--- The faults of a file.  In trusted source there are no faults, and lines are searched only on request.
function faults.new(file, source, trusted)
  return setmetatable({ file = file, source = source or "", trusted = trusted }, Faults)
end

return faults
