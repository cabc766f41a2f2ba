--- The studio: a web server that shows a run, live or from a store, to people in a browser and lets them
--- steer it.  A process of its own, a client of the run: nothing of it can stop a tick.
local access = require "brio.studio.access"
local code = require "brio.studio.code"
local editing = require "brio.studio.editing"
local files = require "brio.studio.files"
local live = require "brio.studio.live"
local marks = require "brio.studio.marks"
local message = require "brio.studio.message"
local paths = require "brio.lib.paths"
local people = require "brio.studio.person"
local pictures = require "brio.studio.pictures"
local recorded = require "brio.studio.recorded"
local server = require "brio.studio.server"
local uv = require "luv"

local studio = {}
local Studio = {}
Studio.__index = Studio

--- Pages at once; s and bytes that a query may take.
studio.most_pages, studio.query_seconds, studio.query_bytes = 24, 20, 1 << 22

--- Files without which there is no page; nil: all are there.
---@param program string path of the program
---@return string? missing
function studio.missing(program)
  local _, built = paths.studio(program)
  for _, name in ipairs { "three.js", "ui.js", "plot.js" } do
    if not paths.exists(built .. "/" .. name) then return built .. "/" .. name end
  end
end

-- Answers --------------------------------------------------------------------------------------------

--- A number of a query within a range; nil: it is none.
local function number(text, lower, upper)
  local value = text and tonumber(text)
  return value and value >= lower and value <= upper and value or nil
end

local function json(reply, value, why)
  if value == nil then return reply(422, "application/json", message.text { error = why }) end
  reply(200, "application/json", type(value) == "string" and value or message.text(value))
end

--- The store of a request: that of the run, or the one that the studio was started with.
local function store_of(self)
  local path = self.store or self.live.about and self.live.about.store
  if not path then return nil, "no store is known: the run is not recorded" end
  local kept = self.stores[path]
  if kept then return kept end
  local opened, why = recorded.open(path)
  self.stores[path] = opened
  return opened, why
end

--- Answers below /api/, by name: work(self, store, query, reply), with a store unless `free`.
local api = {}

function api.runs(_, store, _, reply) json(reply, store:runs()) end

function api.run(_, store, query, reply)
  local run = number(query.run, 1, 2 ^ 53)
  if not run then return json(reply, nil, "run=NUMBER was expected") end
  json(reply, store:run(math.tointeger(run)))
end

function api.versions(_, store, query, reply)
  local run = number(query.run, 1, 2 ^ 53)
  if not run then return json(reply, nil, "run=NUMBER was expected") end
  json(reply, store:versions(math.tointeger(run)))
end

function api.source(_, store, query, reply)
  if not (query.hash or ""):match "^%x+$" then return json(reply, nil, "hash=DIGITS was expected") end
  json(reply, store:source(query.hash))
end

function api.frames(_, store, query, reply)
  local run, from = number(query.run, 1, 2 ^ 53), number(query.from, 0, 1e9)
  local to, step = number(query.to, 0, 1e9), number(query.step, 0.001, 1e6)
  if not (run and from and to and step and to >= from) then
    return json(reply, nil, "run=NUMBER, from=S, to=S and step=S were expected")
  end
  local bytes, why = store:frames(math.tointeger(run), from, to, step)
  if not bytes then return json(reply, nil, why) end
  reply(200, "application/octet-stream", bytes)
end

function api.series(_, store, query, reply)
  local run, from, to = number(query.run, 1, 2 ^ 53), number(query.from, 0, 1e9), number(query.to, 0, 1e9)
  local points = number(query.points or "600", 2, recorded.most_points)
  if not (run and from and to and to > from and points and query.dof) then
    return json(reply, nil, "run=NUMBER, dof=NAME, from=S and to=S were expected")
  end
  json(reply, store:series(math.tointeger(run), query.dof, from, to, points))
end

function api.layers(_, store, query, reply)
  local run, t = number(query.run, 1, 2 ^ 53), number(query.t, 0, 1e9)
  if not (run and t and query.names) then
    return json(reply, nil, "run=NUMBER, t=S and names=NAME,NAME were expected")
  end
  json(reply, store:layers(math.tointeger(run), t, query.names))
end

--- Answers that need no store.
local free = {}

--- The robot: that of the live run, or of a recorded one.
function free.model(self, query, reply)
  if not query.run then
    return json(reply, self.live.model, "no run is attached, or its robot cannot be drawn")
  end
  local run = number(query.run, 1, 2 ^ 53)
  local store, why = store_of(self)
  if not run or not store then return json(reply, nil, why or "run=NUMBER was expected") end
  json(reply, store:model(math.tointeger(run)))
end

function free.start(self, _, reply)
  json(reply, { run = self.live:view(), first = self.first, store = self.store, as = self.options.as,
    logs = message.list(self.live.logs) })
end

--- The newest picture of a camera of the live run, or {waits = sentence}.
function free.picture(self, query, reply)
  local bytes, why = pictures.read(self.live.client and self.live.about, query.name)
  if not bytes then return json(reply, bytes == false and { waits = why } or nil, why) end
  reply(200, "image/jpeg", bytes)
end

--- A page asks for a session with the token of its address.
local function login(self, request, reply)
  local said = message.read(request.body)
  local cookie, status, why = self.server.access:exchange(said and said.token)
  if not cookie then return reply(status, "text/plain; charset=utf-8", why .. "\n") end
  reply(200, "application/json", "{}", { fields = { ["Set-Cookie"] = cookie } })
end

--- The page itself, with a nonce for the styles that its editor makes.
local function index(self, reply)
  local text = self.files:get "/page/index.html"
  if not text then return reply(500, "text/plain", "the page is missing\n") end
  local nonce = uv.random(12):gsub(".", function(byte) return ("%02x"):format(byte:byte()) end)
  reply(200, "text/html; charset=utf-8", (text:gsub("@NONCE@", nonce)), { nonce = nonce })
end

local function answer_file(self, request, reply)
  local bytes, kind, mark = self.files:get(request.path)
  if not bytes or kind:find "^text/html" then
    return reply(404, "text/plain; charset=utf-8", "there is no such file\n")
  end
  local more = { cache = "no-cache", fields = { ETag = mark } }
  if request.fields["if-none-match"] == mark then return reply(304, nil, "", more) end
  reply(200, kind, bytes, more)
end

--- Answer a request that the server has let in.
function Studio:answer(request, reply)
  if request.method == "POST" then
    if request.path == "/login" then return login(self, request, reply) end
    return reply(404, "text/plain", "there is nothing to send this to\n")
  end
  if request.path == "/" then return index(self, reply) end
  if request.path == "/favicon.ico" then request.path = "/page/icon.svg" end
  local name = request.path:match "^/api/(%a+)$"
  if free[name] then return free[name](self, request.query, reply) end
  if not api[name] then return answer_file(self, request, reply) end
  local store, why = store_of(self)
  if not store then return json(reply, nil, why) end
  api[name](self, store, request.query, reply)
end

-- Pages ------------------------------------------------------------------------------------------------

--- Tell all pages.
function Studio:tell(kind, value)
  if next(self.people) == nil then return end
  local text = message.text { [kind] = value }
  for one in pairs(self.people) do one.socket:text(text) end
  if kind == "run" and value.status == "live" then
    for one in pairs(self.people) do one:attach(self.live.path) end
  end
end

--- Watch what any page shows.
function Studio:changed()
  local names = {}
  for one in pairs(self.people) do
    for name in pairs(one.watched) do names[name] = true end
  end
  self.live:watch(names)
end

--- A page has opened its socket.
function Studio:opened(socket)
  local count = 0
  for _ in pairs(self.people) do count = count + 1 end
  if count >= studio.most_pages then return socket:close(1013, "too many pages are open") end
  local one = people.new(socket, self.room)
  self.people[one] = true
  one:tell("run", self.live:view())
  if self.live.desk then one:tell("desk", self.live.desk) end
  if self.live.client then one:attach(self.live.path) end
end

--- Execute a query in a process of its own, so that nobody waits for it: done {rows} or {error}.
function Studio:sql(text, store, done)
  local out, err, parts, faults, size = uv.new_pipe(false), uv.new_pipe(false), {}, {}, 0
  local handle
  local function finish(status)
    local rows = status == 0 and message.read(table.concat(parts))
    done(rows and { rows = message.list(rows) } or { error = (table.concat(faults):gsub("%s+$", "")) })
  end
  handle = uv.spawn(self.options.program, { stdio = { nil, out, err }, args = { "sql", text, "--json",
    "--store",
    store, "--timeout", tostring(studio.query_seconds), "--rows", "1000" } }, function(status)
    handle:close()
    local function drained()
      if out:is_closing() and err:is_closing() then finish(status) end
    end
    for pipe, list in pairs { [out] = parts, [err] = faults } do
      pipe:read_start(function(_, bytes)
        if bytes and size < studio.query_bytes then
          list[#list + 1], size = bytes, size + #bytes
          return
        end
        if not pipe:is_closing() then pipe:close() end
        drained()
      end)
    end
  end)
  if not handle then
    out:close() err:close()
    done { error = "the query cannot be started" }
  end
end

-- The studio -------------------------------------------------------------------------------------------

--- The names of the files of the live run, by its record.
local function names_of(self)
  local run, list = self.live.about and self.live.about.number, {}
  local opened = run and store_of(self)
  for _, row in ipairs(opened and opened:versions(math.tointeger(run)) or {}) do
    list[#list + 1] = row.name
  end
  return list
end

--- Put a mark of a page into the store, or take it back: `work` is a function of marks.lua.
local function mark_with(self, work, mark)
  local opened, why = store_of(self)
  if not opened then return nil, why end
  return work(opened, mark, self.options.as)
end

--- Open a studio: {program, address, port, hosts, as, token, store, first (a recorded run), say(level,
--- sentence)}.  nil, sentence.
---@param options table
function studio.open(options)
  local self = setmetatable({ options = options, people = {}, stores = {}, store = options.store,
    first = options.first }, Studio)
  local page, built = paths.studio(options.program)
  self.files = files.new { ["/page/"] = page, ["/v/"] = built }
  self.live = live.new { token = options.token, tell = function(kind, value) self:tell(kind, value) end,
    frame = function(bytes)
      for one in pairs(self.people) do one.socket:offer(bytes) end
    end }
  self.code = code.new { program = options.program, live = self.live,
    names = function() return names_of(self) end }
  self.editing = editing.new { code = self.code, tell = function(kind, value) self:tell(kind, value) end }
  self.room = { live = self.live, code = self.code, editing = self.editing,
    mark = function(mark) return mark_with(self, marks.put, mark) end,
    unmark = function(mark) return mark_with(self, marks.take_back, mark) end,
    as = options.as, token = options.token,
    sql = function(...) self:sql(...) end, changed = function() self:changed() end,
    left = function(one)
      self.people[one] = nil
      self:changed()
    end }
  local why
  self.server, why = server.new { address = options.address, port = options.port,
    access = function(port)
      return access.new { address = options.address, port = port, random = uv.random, hosts = options.hosts,
        now = function() return uv.hrtime() / 1e9 end }
    end,
    answer = function(...) self:answer(...) end, opened = function(socket) self:opened(socket) end,
    fault = function(fault) options.say("error", tostring(fault)) end }
  if not self.server then return nil, why end
  self.live:start()
  return self
end

--- The address to open in a browser.
function Studio:address()
  return ("http://%s:%d/#%s"):format(self.options.address, self.server.port, self.server.access.token)
end

function Studio:close()
  self.live:close()
  self.server:close()
  for _, store in pairs(self.stores) do store:close() end
end

return studio
