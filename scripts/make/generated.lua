--- What the generators of docs share: files that are written when they differ, or only compared, and
--- comments in lines of 110 columns.
local generated = {}

generated.most_columns = 110

local Writer = {}
Writer.__index = Writer

--- A writer of generated files.  `command`: the command line that makes them; check: compare, write nothing.
function generated.writer(command, check)
  return setmetatable({ command = command, check = check, stale = {} }, Writer)
end

--- A file's text, or nil when it cannot be read.
function generated.read(path)
  local file <close> = io.open(path, "rb")
  return file and file:read "a"
end

--- Make a file have this text; raise when it cannot be written.
function Writer:write(path, text)
  if generated.read(path) == text then return end
  self.stale[#self.stale + 1] = path
  if self.check then return end
  local file <close> = assert(io.open(path, "wb"))
  assert(file:write(text))
end

--- Raise, when files were compared and some differ, with their names and the command.
function Writer:finish()
  if self.check and #self.stale > 0 then
    error(("%s: out of date: run %s"):format(table.concat(self.stale, ", "), self.command), 0)
  end
end

--- The lines of a comment, each with `head`.  A word that is too long has a line of its own.
function generated.comment(head, text)
  local lines, line = {}, nil
  for word in text:gmatch "%S+" do
    if line and utf8.len(line) + 1 + utf8.len(word) > generated.most_columns then
      lines[#lines + 1], line = line, nil
    end
    line = line and line .. " " .. word or head .. word
  end
  lines[#lines + 1] = line
  return lines
end

--- The lines of a field for the language server, as text: "---@field name type about".  When that is too
--- long, what the field is about is a comment above it.
function generated.field(name, type, about)
  local line = ("---@field %s %s %s"):format(name, type, about):gsub("%s+$", "")
  if utf8.len(line) <= generated.most_columns then return line end
  local lines = generated.comment("--- ", about)
  lines[#lines + 1] = ("---@field %s %s"):format(name, type)
  return table.concat(lines, "\n")
end

return generated
