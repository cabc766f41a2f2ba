--- Runs in a store: which one a person means (docs/analysis/runs.md).
local clients = require "brio.runs.client"
local history = require "brio.record.history"
local store = require "brio.store"
local uv = require "luv"
local words = require "brio.runs.names"

local stored = {}

--- The store that a command reads where nothing is said.
stored.usual = "brio.db"

local function ignore() end

--- Where the run at a socket is recorded: {store, number}; nil, sentence where it is not.
local function recorded_at(path)
  local one, why = clients.connect(path, { log = ignore, ended = ignore })
  if not one then return nil, ("cannot attach to %s: %s"):format(path, why) end
  local reply = one:answer({}, 2)
  one:close()
  local about = reply and type(reply.about) == "table" and reply.about or {}
  if not about.number then return nil, path .. ": this run is not recorded, or it does not answer" end
  return { store = about.store, number = tostring(about.number) }
end

--- The store and the word of a run as a person names it.  `given`: what --store says, or nil.  nil, sentence.
---@param text string?
---@param given string?
---@return string? file, string? word
function stored.place(text, given)
  local file, word, fault = words.split(text)
  if fault then return nil, fault end
  if text and words.is_socket(text) then
    local found, why = recorded_at(text)
    if not found then return nil, why end
    file, word = found.store, found.number
  end
  if file and given and uv.fs_realpath(file) ~= uv.fs_realpath(given) then
    return nil, ("'%s' is in another store than --store %s"):format(text, given)
  end
  return file or given or stored.usual, word
end

--- The run that a word means, without a store's name in it: nil or last: the newest; a number; else the
--- newest of a behavior or robot of that name.  Return its row (see history.run); nil, sentence, code.
---@param db userdata from brio.store
---@param word string?
function stored.row(db, word)
  local number = word and words.number(word)
  if word == nil or word == "last" or number then return history.run(db, number) end
  local rows, why = db:query "SELECT id AS run, behavior, robot FROM runs ORDER BY id DESC"
  if not rows then return nil, why end
  local found = words.named(rows, word)[1]
  if found then return history.run(db, found.run) end
  return nil, ("'%s' is no run of this store: %s is expected"):format(word, words.expected)
end

--- Open the store of the run that a person names, and find the run: the store, opened for reading, the run's
--- row, and the store's path.  nil, sentence.
---@param text string?
---@param given string? what --store says
---@return userdata? db, table|string row, string? path
function stored.open(text, given)
  local path, word = stored.place(text, given)
  if not path then return nil, word end
  local db, why = store.open(path)
  if not db then return nil, why end
  local row, fault = stored.row(db, word)
  if row then return db, row, path end
  db:close()
  return nil, fault
end

return stored
