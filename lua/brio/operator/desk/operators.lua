--- Scripted operators: who enters what when, for rehearsals and tests.  A file of lines,
---     # a comment
---     @ann                      the person of the following lines; several people act in parallel
---     2.5 say "hello"           at 2.5 s of robot time
---     +1 play nod               1 s after ann's line before
---     after state greet go idle when the state is entered, after ann's line before
---     press y                   at once; press: a key that the session script binds
---     stop                      ends the run
---
--- or people's lines in a recorded run: the rows of `operator` in its store.
local queue = require "brio.operator.desk.queue"

local operators = {}
local Operators = {}
Operators.__index = Operators

--- Maximum number of lines in a file.
operators.most = 100000

--- Parse the time of a line: {at or delay or when} and the line, or nil and the reason.
local function read_time(text)
  local plus, rest = text:match "^(%+?)%s*(%d.*)$"
  if rest then
    local span, line = queue.span(rest)
    if not span then return nil, line end
    return plus == "+" and { delay = span } or { at = span }, line
  end
  local kind, name, line = text:match "^after%s+(%a+)%s+(%S+)%s+(.+)$"
  if kind == "state" or kind == "event" then return { [kind] = name }, line end
  return { delay = 0 }, text
end

--- Parse a file's text.  Return its lines as plain data, {list = {{who, rows}, ...}}, for operators.of; or
--- nil and a sentence.
function operators.read(text, file)
  local self = { list = {} }
  local by_name, who, number = {}, "rehearsal", 0
  for line in (text .. "\n"):gmatch "(.-)\r?\n" do
    number = number + 1
    line = line:match "^%s*(.-)%s*$"
    local name = line:match "^@(.+)$"
    if name then
      who = name
    elseif line ~= "" and line:sub(1, 1) ~= "#" then
      local row, said = read_time(line)
      if not row then return nil, ("%s:%d: %s"):format(file, number, said) end
      if said == "" then
        return nil, ("%s:%d: there is no line after the time"):format(file, number)
      end
      if number > operators.most then
        return nil, ("%s: has more than %d lines"):format(file, operators.most)
      end
      local one = by_name[who] or { who = who, rows = {} }
      if not by_name[who] then by_name[who], self.list[#self.list + 1] = one, one end
      row.line = said
      one.rows[#one.rows + 1] = row
    end
  end
  return self
end

local said = "SELECT t, who, command, arguments FROM operator o WHERE run = ?1 AND who NOT LIKE 'session \z
  %%' %s ORDER BY id"
local by_itself = "AND NOT EXISTS (SELECT 1 FROM actions a WHERE a.run = ?1 AND a.operator_row = o.id"
  .. " AND a.device IN ('queue', 'script'))"

--- People's lines in a run of a store: `db` is open, `run` its number.  Lines of scripts and queued lines are
--- omitted, as they are repeated automatically.  Return the same as operators.read.
function operators.recorded(db, run, parse)
  local self = { list = {} }
  local by_name = {}
  local rows, why = db:rows(said:format(by_itself), run)
  if not rows then rows, why = db:rows(said:format "", run) end -- an older store without the table of actions
  if not rows then return nil, why end
  for row in rows do
    local arguments = row.arguments and parse(row.arguments) or ""
    local line = row.command == "lua" and arguments
      or row.command .. (arguments ~= "" and " " .. arguments or "")
    local one = by_name[row.who] or { who = row.who, rows = {} }
    if not by_name[row.who] then by_name[row.who], self.list[#self.list + 1] = one, one end
    one.rows[#one.rows + 1] = { at = row.t, line = line }
  end
  if #self.list == 0 then return nil, ("run %d has no operator lines"):format(run) end
  return self
end

--- The operators for data of operators.read, at the beginning.
function operators.of(said_by)
  local self = setmetatable({ list = {} }, Operators)
  for index, one in ipairs(said_by.list) do
    self.list[index] = { who = one.who, rows = one.rows, next = 1 }
  end
  return self
end

local function is_due(one, row, now, heard, entered)
  if row.at then return now >= row.at - 1e-9 end
  if row.delay then return now >= (one.last or 0) + row.delay - 1e-9 end
  if row.event then return heard[row.event] == true end
  for _, path in ipairs(entered) do
    if path == row.state or path:sub(-#row.state - 1) == "." .. row.state then return true end
  end
  return false
end

--- Work of a tick.
function Operators:work(desk, heard, entered)
  local now = desk.run.host.now
  for _, one in ipairs(self.list) do
    for _ = 1, 16 do
      local row = one.rows[one.next]
      if not row or not is_due(one, row, now, heard, entered) then break end
      one.next, one.last = one.next + 1, now
      if row.event or row.state then heard, entered = {}, {} end -- an event triggers only one line
      if row.line == "stop" then
        desk.run.engine:stop "operator"
      else
        desk:perform(row.line, { who = one.who, device = "pipe" }, one.who)
      end
    end
  end
end

--- Whether all lines were executed.
function Operators:is_over()
  for _, one in ipairs(self.list) do
    if one.rows[one.next] then return false end
  end
  return true
end

return operators
