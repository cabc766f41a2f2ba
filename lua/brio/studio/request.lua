--- Requests of HTTP/1.1 (RFC 9112), as browsers send them, from bytes in any pieces.  Strict: whatever two
--- programs could read differently (line ends, folded or repeated fields, codings, dots in paths) is refused.
---
---     local reader = request.reader()
---     reader:add(bytes)
---     local one, status, why = reader:next()   -- nil: more bytes are needed; nil, status: refuse and close
local request = {}

--- Limits: bytes of a head and of a body, fields of a head.
request.most_head, request.most_body, request.most_fields = 16384, 1 << 20, 64

local Reader = {}
Reader.__index = Reader

--- A reader of one connection.
function request.reader() return setmetatable({ buffer = "", searched = 1 }, Reader) end

--- Add received bytes.
---@param bytes string
function Reader:add(bytes) self.buffer = self.buffer .. bytes end

--- Fields that may not be repeated.
local single = { host = true, origin = true, cookie = true, ["content-length"] = true,
  ["content-type"] = true,
  ["sec-websocket-key"] = true, ["sec-websocket-version"] = true, upgrade = true, connection = true }

--- A text without its percent escapes; nil: one is wrong, or it contains control characters or no UTF-8.
local function unescaped(text)
  local wrong = false
  local made = text:gsub("%%(.?.?)", function(digits)
    local code = digits:match "^%x%x$" and tonumber(digits, 16)
    wrong = wrong or not code
    return code and string.char(code) or ""
  end)
  if wrong or made:find "[%c\127]" or not utf8.len(made) then return nil end
  return made
end

--- The path of a target, without dots; nil: it is not plain.
local function path_of(text)
  local path = unescaped(text)
  if not path or path:find "[\\]" or path:find "//" then return nil end
  for part in path:gmatch "[^/]+" do
    if part == "." or part == ".." then return nil end
  end
  return path
end

--- The values of a query, {name = value}; nil: one is wrong.
local function query_of(text)
  local query = {}
  for pair in text:gmatch "[^&]+" do
    local name, value = pair:match "^([^=]*)=?(.*)$"
    name, value = unescaped(name), unescaped((value:gsub("+", " ")))
    if not name or not value or query[name] then return nil end
    query[name] = value
  end
  return query
end

--- The fields of a head, by their names in lower case; nil and a sentence.
local function fields_of(head)
  local fields, count = {}, 0
  for line in head:gmatch "([^\r\n]*)\r\n" do
    local name, value = line:match "^([%w!#$%%&'*+%-.^_`|~]+):[ \t]*(.-)[ \t]*$"
    if not name then return nil, "a field of the head is not NAME: VALUE" end
    if value:find "[%z\1-\8\11-\31\127]" then return nil, "a field has control characters" end
    name, count = name:lower(), count + 1
    if fields[name] and single[name] then return nil, ("the field %s is there twice"):format(name) end
    fields[name] = fields[name] and fields[name] .. ", " .. value or value
    if count > request.most_fields then return nil, "the head has too many fields" end
  end
  return fields
end

--- The number of bytes of the body; nil, status, sentence.
local function body_length(fields)
  if fields["transfer-encoding"] then return nil, 501, "a body by Content-Length is expected" end
  local said = fields["content-length"]
  if not said then return 0 end
  if not said:match "^%d+$" or #said > 12 then return nil, 400, "Content-Length is no number of bytes" end
  local length = math.tointeger(tonumber(said))
  if length > request.most_body then
    return nil, 413, ("a body has %d bytes at most"):format(request.most_body)
  end
  return length
end

--- A request from its head, without the body; nil, status, sentence.
local function parse(head)
  local first, rest = head:match "^([^\r\n]*)\r\n(.*)$"
  local method, target, minor = (first or ""):match "^(%u+) (/[^ %c\127]*) HTTP/1%.([01])$"
  if not method or #method > 16 then return nil, 400, "the first line is not METHOD /PATH HTTP/1.1" end
  if rest:gsub("\r\n", ""):find "[\r\n]" then return nil, 400, "lines end in CR LF" end
  local fields, why = fields_of(rest)
  if not fields then return nil, 400, why end
  local path, query = target:match "^([^?#]*)%??([^#]*)$"
  path, query = path and path_of(path), query and query_of(query)
  if not path or not query then return nil, 400, "the path is not plain" end
  local length, status, sentence = body_length(fields)
  if not length then return nil, status, sentence end
  local keeps = minor == "1" and not (fields.connection or ""):lower():find("close", 1, true)
  return { method = method, path = path, query = query, fields = fields, length = length, keeps = keeps }
end

--- The next request: {method, path, query, fields, body, keeps}; nil: more bytes are needed; nil, status,
--- sentence: it is refused, and nothing behind it can be read.
---@return table? request, integer? status, string? why
function Reader:next()
  local one = self.begun
  if not one then
    local from, to = self.buffer:find("\r\n\r\n", self.searched, true)
    if (from or #self.buffer) > request.most_head then
      return nil, 431, ("a head has %d bytes at most"):format(request.most_head)
    end
    self.searched = math.max(1, #self.buffer - 2)
    if not from then return nil end
    local status, why
    one, status, why = parse(self.buffer:sub(1, from + 1))
    if not one then return nil, status, why end
    self.begun, self.buffer, self.searched = one, self.buffer:sub(to + 1), 1
  end
  if #self.buffer < one.length then return nil end
  one.body, self.buffer = self.buffer:sub(1, one.length), self.buffer:sub(one.length + 1)
  self.begun = nil
  return one
end

--- The bytes behind the last request, such as those of another protocol.
function Reader:rest() return self.buffer end

return request
