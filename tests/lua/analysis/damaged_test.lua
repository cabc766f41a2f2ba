--- Stores that were damaged on purpose: every command that reads one reports the damage in a sentence, or
--- prints what is left; none prints a traceback.
require "brio"
local commands, store = require "brio.commands", require "brio.store"

--- The commands that read stores, with the words that they are asked with.
local asked = {
  { "history" }, { "history", "versions" }, { "history", "--run", "1" }, { "sql", "SELECT * FROM story" },
  { "sql", "SELECT * FROM samples" }, { "sql", "SELECT * FROM all_actions" }, { "plot", "last" },
    { "quality", "last" },
  { "timeline", "last" }, { "at", "1", "0.1" }, { "search", "x" }, { "compare", "1", "2" },
    { "ask", "report" }, { "export", "1", "--as", "csv", "--table", "events", "--out", "-" },
  { "diff", "1" }, { "prune", "--older", "0" }, { "study", "list" },
}

--- Run a command as at a terminal.  Return its exit code and its output; passes errors on.
local function run(words, path)
  local list, told = { table.unpack(words) }, {}
  table.move({ "--store", path }, 1, 2, #list + 1, list)
  local function keep(...)
    for index = 1, select("#", ...) do told[#told + 1] = tostring(select(index, ...)) end
  end
  local held = { print, io.write, io.stderr, io.stdout }
  _G.print, io.write = keep, keep -- luacheck: ignore
  io.stderr = { write = function(self, ...) keep(...) return self end } -- luacheck: ignore
  -- luacheck: ignore
  io.stdout = { write = function(self, ...) keep(...) return self end, flush = function() end }
  local good, code = xpcall(commands.main, debug.traceback, list)
  _G.print, io.write, io.stderr, io.stdout = table.unpack(held) -- luacheck: ignore
  return good, code, table.concat(told, "\n")
end

local function read(path)
  local file = assert(io.open(path, "rb"))
  local text = file:read "a"
  file:close()
  return text
end

local function write(path, text)
  local file = assert(io.open(path, "wb"))
  file:write(text)
  file:close()
end

--- A store of two runs, as bytes.
local function good_store(t)
  local path = t:temporary ".db"
  local writer = assert(store.record(path))
  for number = 1, 2 do
    writer:begin { behavior = "x.lua", robot = "pepper" }
    writer:dofs({ "HeadYaw", "HeadPitch" }, { "rad", "rad" })
    local hash = writer:version("x.lua", "return " .. number)
    writer:put("activations", { id = 1, behavior = "x", version = hash, started = 0 })
    writer:put("states", { id = 1, activation = 1, state = "on", entered = 0, version = hash })
    for tick = 1, 60 do
      writer:sample(tick, tick / 200, { 1, 2 }, { 1, tick }, { 1, 2 })
      writer:put("events", { tick = tick, t = tick / 200, name = "ping" .. tick, version = hash,
        data = '{"text":"' .. ("y"):rep(1500) .. '"}' })
    end
    writer:finish { duration = 1.5, ticks = 300, outcome = "finished" }
  end
  assert(writer:close())
  return read(path)
end

--- Check that every command that reads stores ends with a sentence.
local function try(t, bytes, what)
  local path = t:temporary ".db"
  local refused = 0
  for _, words in ipairs(asked) do
    write(path, bytes)
    for _, suffix in ipairs { "-wal", "-shm", "-journal", "-search" } do os.remove(path .. suffix) end
    local good, code, told = run(words, path)
    local said = ("%s, brio %s: %s"):format(what, table.concat(words, " "), tostring(told):sub(-600))
    t:ok(good, "%s: %s", said, tostring(code))
    t:ok(good and math.type(code) == "integer" and code <= 3, "%s: code %s", said, tostring(code))
    t:ok(not told:find "%.lua:%d+:" and not told:find("stack traceback", 1, true), "%s", said)
    t:ok(code ~= 1 or told ~= "", "%s: says nothing", said)
    if code == 1 then refused = refused + 1 end
  end
  os.remove(path .. "-search")
  return refused
end

--- The same bytes with some in the middle replaced.
local function with(bytes, at, text) return bytes:sub(1, at) .. text .. bytes:sub(at + #text + 1) end

test("a whole store is read by every command", function(t)
  t:ok(try(t, good_store(t), "whole") <= 4, "most commands find what they look for")
end)

test("stores that were cut off, overwritten or are none at all are told in words", function(t)
  local bytes, page = good_store(t), 8192
  local refused = try(t, bytes:sub(1, #bytes // 2), "cut in half")
  refused = refused + try(t, bytes:sub(1, 100), "its header only")
  refused = refused + try(t, with(bytes, 100, ("\xff"):rep(page - 100)), "schema of garbage")
  refused = refused + try(t, ("a page of text\n"):rep(2000), "no store")
  refused = refused + try(t, "", "empty")
  t:ok(refused > 3 * #asked, "%d refusals", refused)
end)

test("pages of garbage anywhere are survived", function(t)
  local bytes, page = good_store(t), 8192
  local state = 20240917
  local function draw(most)
    state = (state * 1103515245 + 12345) & 0x7fffffff
    return state % most
  end
  for round = 1, t:long() and 200 or 4 do -- make test takes a sample
    local damaged = bytes
    for _ = 1, 1 + draw(4) do
      local at, length = page + draw(#bytes - page), 1 + draw(3 * page)
      damaged = with(damaged, at, string.char(draw(256)):rep(math.min(length, #bytes - at)))
    end
    try(t, damaged, "garbage " .. round)
  end
end)

test("tables that are missing, and values of wrong types, are told in words", function(t)
  local bytes = good_store(t)
  local function changed(...)
    local path = t:temporary ".db"
    write(path, bytes)
    local db = assert(store.change(path))
    for _, sql in ipairs { "PRAGMA foreign_keys = OFF", ... } do assert(db:query(sql)) end
    db:close()
    return read(path)
  end
  for _, name in ipairs { "runs", "events", "states", "versions", "dofs" } do
    try(t, changed("DROP TABLE " .. name), "without " .. name)
  end
  try(t, changed "DROP VIEW run_summary", "without run_summary")
  try(t, changed "DROP TABLE sample_tails", "without sample_tails")
  try(t, changed "UPDATE sample_blocks SET bytes = x'64ff01'", "blocks of garbage")
  try(t, changed("DROP TABLE runs", "CREATE TABLE runs AS SELECT 'one' AS id, 'x' AS started_at, 'y' AS \z
    duration, NULL AS uuid"), "runs of texts")
  try(t, changed("PRAGMA writable_schema = ON",
    "UPDATE sqlite_schema SET sql = replace(sql, 'STRICT, ', '') WHERE name = 'events'",
    "PRAGMA writable_schema = RESET", "CREATE TABLE x(y)",
      "UPDATE events SET t = 'soon', data = 'not JSON' WHERE id % 7 = 0"), "events of texts")
  try(t, changed("UPDATE runs SET duration = 9e999, ticks = -5, outcome = 'x'",
    "UPDATE states SET entered = -1e300, left_at = 1e300"), "odd numbers")
  try(t, changed("DELETE FROM dofs", "DELETE FROM versions"), "rows that belong to nothing")
end)

test("a time that no run can have ends an export in words", function(t)
  local path = t:temporary ".db"
  local writer = assert(store.record(path))
  writer:begin { behavior = "x.lua" }
  writer:put("events", { tick = 1, t = 1e300, name = "ping" })
  writer:finish { duration = 1.5, ticks = 300, outcome = "finished" }
  assert(writer:close())
  for _, format in ipairs { "mcap", "elan" } do
    local good, code, told = run({ "export", "1", "--as", format, "--out", t:temporary("." .. format) }, path)
    t:ok(good and code == 1 and told:find("1e+300 s is no time of a run", 1, true), format .. ": " .. told)
  end
end)
