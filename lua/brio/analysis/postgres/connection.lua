--- A PostgreSQL database, by its own program psql: what it is asked in SQL, and what is written to it.
---
--- Name, port and password go to psql in its environment, not in words that other users of the machine see.
local uv = require "luv"

local connection = {}
local Connection = {}
Connection.__index = Connection

local function decoded(text)
  return (text:gsub("%%(%x%x)", function(pair) return string.char(tonumber(pair, 16)) end))
end

--- Parameters of a URL that psql knows as variables of its environment.
local variables = { host = "PGHOST", port = "PGPORT", user = "PGUSER", password = "PGPASSWORD",
  dbname = "PGDATABASE", sslmode = "PGSSLMODE", sslrootcert = "PGSSLROOTCERT", sslcert = "PGSSLCERT",
  sslkey = "PGSSLKEY", service = "PGSERVICE", passfile = "PGPASSFILE", connect_timeout = "PGCONNECT_TIMEOUT" }

--- Whether a text is the URL of a database.
function connection.is_url(text)
  return text:match "^postgres://" ~= nil or text:match "^postgresql://" ~= nil
end

--- The variables of a URL (postgres://USER:PASSWORD@HOST:PORT/DATABASE?sslmode=...), by name; nil and a
--- sentence.
function connection.read(url)
  local rest = url:match "^postgres://(.*)$" or url:match "^postgresql://(.*)$"
  if not rest then
    return nil, ("'%s' is no database: postgres://USER@HOST:PORT/DATABASE was expected"):format(url)
  end
  local before, query = rest:match "^([^?]*)%??(.*)$"
  local place, database = before:match "^([^/]*)/?(.*)$"
  local who, where = place:match "^(.*)@([^@]*)$"
  local user, password = (who or ""):match "^([^:]*):?(.*)$"
  local host, port = (where or place):match "^([^:]*):?(%d*)$"
  if not host then
    return nil, ("'%s' is no place of a database: HOST:PORT was expected"):format(where or place)
  end
  local made = { PGUSER = user, PGPASSWORD = password, PGHOST = host, PGPORT = port, PGDATABASE = database }
  for name, value in query:gmatch "([^&=]+)=([^&]*)" do
    if not variables[name] then
      return nil, ("a database's URL has no parameter '%s' that brio knows"):format(name)
    end
    made[variables[name]] = value
  end
  for name, value in next, made do made[name] = value ~= "" and decoded(value) or nil end
  return made
end

--- Open a database.  Return it, or nil and a sentence.
function connection.open(url)
  local made, why = connection.read(url)
  if not made then return nil, why end
  for _, name in next, variables do
    if made[name] then uv.os_setenv(name, made[name]) end
  end
  uv.os_setenv("PGCONNECT_TIMEOUT", made.PGCONNECT_TIMEOUT or "10")
  uv.os_setenv("PGAPPNAME", "brio")
  uv.os_setenv("PGCLIENTENCODING", "UTF8")
  local pipe = io.popen("command -v psql", "r")
  local there = pipe and pipe:read "a" ~= ""
  if pipe then pipe:close() end
  if not there then return nil, "there is no psql here: install the package 'postgresql-client'" end
  local self = setmetatable({ complaints = os.tmpname() }, Connection)
  local answer
  answer, why = self:ask "SELECT 1"
  if not answer then
    self:close()
    return nil, why
  end
  return self
end

function Connection:close() os.remove(self.complaints) end

--- What psql printed to its error stream, as one line.
local function complaint(self)
  local file <close> = io.open(self.complaints, "r")
  local text = (file and file:read "a" or ""):gsub("^psql: error: ", ""):gsub("psql:<stdin>:%d+: ", "")
  text = text:gsub("%s+$", ""):gsub("%s*\n%s*", "; ")
  return "the database: " .. (text ~= "" and text or "the connection was lost")
end

local program = "psql -X -q -v ON_ERROR_STOP=1 %s 2>'%s'"

--- The rows of a query, each a list of texts (an empty one: null).  nil and a sentence.
function Connection:ask(sql)
  local script = os.tmpname()
  local file <close> = assert(io.open(script, "w"))
  file:write(sql)
  file:close()
  local pipe = io.popen((program .. " <'%s'"):format([[-A -t -F "$(printf '\037')"]], self.complaints,
    script),
    "r")
  local rows = {}
  for line in pipe:lines() do
    local row = {}
    for field in (line .. "\31"):gmatch "([^\31]*)\31" do row[#row + 1] = field end
    if line ~= "" then rows[#rows + 1] = row end
  end
  local good = pipe:close()
  os.remove(script)
  if not good then return nil, complaint(self) end
  return rows
end

--- Begin to write a script: write(text) until finish() returns true, or nil and a sentence.  Without its last
--- COMMIT the database forgets all of a script.
function Connection:script()
  local pipe = io.popen(program:format(">/dev/null", self.complaints), "w")
  local script = {}
  function script.write(...) return pipe:write(...) end
  function script.finish()
    local good = pipe:close()
    if not good then return nil, complaint(self) end
    return true
  end
  return script
end

local formats = { table = "", csv = "--csv", json = "-A -t" }

--- Whether a text is one query: no ';' and no command of psql outside its quotes.
local function is_one(sql)
  local bare = sql:gsub("'[^']*'", "''"):gsub('"[^"]*"', '""')
  return not bare:find "[;\\]"
end

--- Print the rows of one query, in a transaction that can change nothing.  options: format (table, csv,
--- json), seconds (until it is stopped; nil: no limit), limit (rows; nil: all).  Return true, or nil and a
--- sentence.
function Connection:print(sql, options)
  sql = sql:gsub("[%s;]+$", "")
  if not is_one(sql) then return nil, "one query was expected, without ';' or '\\' outside of quotes" end
  if options.limit then sql = ("SELECT * FROM (%s\n) AS rows LIMIT %d"):format(sql, options.limit) end
  if options.format == "json" then
    sql = ("SELECT coalesce(json_agg(rows), '[]') FROM (%s\n) AS rows"):format(sql)
  end
  local pipe = io.popen(program:format(formats[options.format], self.complaints), "w")
  pipe:write("SET default_transaction_read_only = on;\nSET search_path = brio, public;\n",
    ("SET statement_timeout = %d;\n"):format((options.seconds or 0) * 1000 // 1), sql, ";\n")
  if not pipe:close() then return nil, complaint(self) end
  return true
end

return connection
