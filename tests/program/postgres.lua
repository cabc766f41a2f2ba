--- A PostgreSQL server of its own for tests, on a socket in a folder of its own, as the user postgres.
local harness = require "harness"
local uv = require "luv"

local postgres = {}
local Postgres = {}
Postgres.__index = Postgres

--- The folder of the server's programs; nil: none.
local function programs()
  for version = 20, 13, -1 do
    local folder = ("/usr/lib/postgresql/%d/bin"):format(version)
    if harness.files.exists(folder .. "/initdb") then return folder end
  end
end

--- Why it cannot be started here; nil: it can.
function postgres.absent()
  if not programs() then return "no PostgreSQL server is installed (package postgresql-15)" end
  if harness.run("command -v psql").code ~= 0 then
    return "psql is not installed (package postgresql-client)"
  end
  if uv.getuid() == 0 and harness.run("id postgres").code ~= 0 then
    return "a server cannot run as root, and there is no user postgres"
  end
end

--- Words as the server's user.
local function as_user(line)
  local quoted = harness.files.quote(line)
  return uv.getuid() == 0 and "runuser -u postgres -- sh -c " .. quoted or "sh -c " .. quoted
end

--- Start one.  Return it, or nil and why it does not come up.
function postgres.start()
  local folder = harness.files.output "mktemp -d /tmp/brio-pg.XXXXXX"
  if uv.getuid() == 0 then harness.run("chown postgres " .. folder) end
  local self = setmetatable({ folder = folder, bin = programs() }, Postgres)
  self.url = "postgres://postgres@/brio?host=" .. folder
  local made = harness.run(as_user(("cd %s && %s/initdb -D data -U postgres -A trust -E UTF8 --locale=C \z
    >log 2>&1 && \z
    %s/pg_ctl -D data -w -t 240 -l log -o \"-k %s -c listen_addresses='' -c shared_buffers=16MB\" start \z
    >>log 2>&1 && %s/createdb -h %s -U postgres \z
    brio"):format(folder, self.bin, self.bin, folder, self.bin, folder)))
  if made.code == 0 then return self end
  local why = made.text .. (harness.files.read(folder .. "/log") or ""):sub(-500)
  self:stop()
  return nil, why
end

--- What a query prints: fields with | between them, a line a row.
function Postgres:ask(sql)
  local run = harness.run { ("psql -X -A -t -h %s -U postgres brio"):format(self.folder), input = sql }
  if run.code ~= 0 or run.err ~= "" then error(run.err:sub(1, 800), 0) end
  return (run.out:gsub("\n$", ""))
end

function Postgres:stop()
  harness.run(as_user(("%s/pg_ctl -D %s/data -w -m immediate stop"):format(self.bin, self.folder)))
  harness.run("rm -rf " .. self.folder)
end

return postgres
