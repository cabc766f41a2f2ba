--- The file of people who may attach to a run, with their roles: a line for each person, NAME ROLE TOKEN; '#'
--- begins a comment. Missing tokens are generated, and the file is written; a missing file is created, with a
--- person for each role.
local reason = require "brio.io.reason"
local roles = require "brio.operator.operators.roles"
local suggest = require "brio.lib.suggest"
local uv = require "luv"

local tokens = {}

--- Maximum lengths of names and tokens, bytes, minimum length of a token, which must not be easy to guess,
--- and maximum number of people (engine/runtime/front/front.h).
local longest_name, longest, shortest, most = 40, 64, 16, 32

local beginning = "# Who may attach to this robot, and as what: NAME ROLE TOKEN. A token is a password: "
  .. "brio attach --token TOKEN.\n"

--- A token of 128 random bits.
local function new_token()
  local file, why = io.open("/dev/urandom", "rb")
  local bytes = file and file:read(16)
  if file then file:close() end
  if not bytes or #bytes ~= 16 then return nil, why or "the system gives no random bytes" end
  return (bytes:gsub(".", function(byte) return ("%02x"):format(byte:byte()) end))
end

--- Parse a line: a person; nil: none; or nil and the error.
local function read_line(line)
  local words = {}
  for word in line:gsub("#.*$", ""):gmatch "%S+" do words[#words + 1] = word end
  if #words == 0 then return nil end
  local name, role, token = words[1], words[2], words[3]
  if #words > 3 or not role then return nil, "a line is NAME ROLE, and the TOKEN where there is one" end
  if not suggest.contains(roles.list, role) then
    return nil, ("there is no role '%s'%s: there are %s"):format(role, suggest.hint(role, roles.list),
      table.concat(roles.list, ", "))
  end
  if name:find "[%c()]" or #name > longest_name then
    return nil, ("a name has no brackets, and %d bytes at most"):format(longest_name)
  end
  if token and (#token < shortest or #token > longest) then
    return nil, ("a token has %d to %d bytes"):format(shortest, longest)
  end
  return { name = name, role = role, token = token }
end

--- Parse a text. Return its people, or nil and the reason.
local function read_text(text)
  local list, known, number = {}, {}, 0
  for line in (text .. "\n"):gmatch "(.-)\r?\n" do
    number = number + 1
    local person, why = read_line(line)
    if why then return nil, ("line %d: %s"):format(number, why) end
    if person then
      if known[person.name] or person.token and known[person.token] then
        return nil, ("line %d: %s is there already"):format(number,
          known[person.name] and person.name or "its token")
      end
      known[person.name], known[person.token or person.name] = true, true
      list[#list + 1] = person
    end
  end
  if #list == 0 then return nil, "nobody is in it" end
  if #list > most then return nil, ("%d people at most may be in it"):format(most) end
  return list
end

--- Append a token to each line of a person without one.
local function filled(text, list)
  local at = 0
  return (text:gsub("[^\n]+", function(line)
    local person = read_line(line)
    if not person then return line end
    at = at + 1
    if person.token then return line end
    local said, comment = line:match "^([^#]*)([^\r]*)"
    return ("%s %s%s"):format(said:match "^(.-)%s*$", list[at].token, comment ~= "" and "  " .. comment or "")
  end))
end

--- Write a file that only its user may read, atomically.
local function write(path, text)
  local made = path .. ".new"
  os.remove(made)
  local fd, why = uv.fs_open(made, "wx", tonumber("600", 8))
  if not fd then return nil, why end
  local written, fault = uv.fs_write(fd, text, 0)
  uv.fs_close(fd)
  if written ~= #text then return nil, fault or "it could not be written whole" end
  return uv.fs_rename(made, path)
end

--- Read the file of a path; create it, or add tokens, if needed. Return a list of {name, role, token}, and
--- whether it was written; or nil and the reason.
function tokens.read(path)
  local file, unread = io.open(path)
  local text
  if file then text, unread = file:read "a" end
  if file then file:close() end
  local about = uv.fs_stat(path)
  if about and not text then
    return nil, ("%s cannot be read: %s"):format(path, unread:match "[^: ][^:]*$")
  end
  if text and about.mode & tonumber("077", 8) ~= 0 then
    return nil, ("others can read %s, and tokens are passwords: chmod 600 %s"):format(path, path)
  end
  text = text or beginning .. "wizard wizard\nobserver observer\nauthor author\n"
  local list, why = read_text(text)
  if not list then return nil, ("%s: %s"):format(path, why) end
  local lacks = not about
  for _, person in ipairs(list) do
    if not person.token then
      person.token, why = new_token()
      if not person.token then return nil, why end
      lacks = true
    end
  end
  if not lacks then return list, false end
  local good, fault = write(path, filled(text, list))
  if not good then return nil, ("%s cannot be written: %s"):format(path, reason(fault)) end
  return list, true
end

return tokens
