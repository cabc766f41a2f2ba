--- Runs in a store: which one a person means (docs/analysis/runs.md).
local clients = require "brio.runs.client"
local history = require "brio.record.history"
local names = require "brio.lib.run_names"
local store = require "brio.store"
local uv = require "luv"
local words = require "brio.runs.names"

local stored = {}

--- The default store of commands.
stored.usual = "brio.db"

local function ignore() end

--- The record of the run at a socket: {store, number}; nil, sentence if it has none.
local function recorded_at(path)
  local one, why = clients.connect(path, { log = ignore, ended = ignore })
  if not one then return nil, ("cannot attach to %s: %s"):format(path, why) end
  local reply = one:answer({}, 2)
  one:close()
  local about = reply and type(reply.about) == "table" and reply.about or {}
  if not about.number then return nil, path .. ": this run is not recorded, or it does not answer" end
  return { store = about.store, number = tostring(about.number) }
end

--- The store in a text (nil: none), and the rest of the text (nil: empty); nil, nil, sentence.
local function parts_of(text)
  if not words.is_socket(text) then return words.split(text) end
  local found, why = recorded_at(text)
  if not found then return nil, nil, why end
  return found.store, found.number
end

--- The common store of several texts, each naming a run or a set of runs, and the rests of the texts
--- (false: empty).  `given`: the value of --store, or nil.  nil, sentence if two of them name different
--- stores.
---@param texts string[]
---@param given string?
---@return string? file, (string|false)[]|string rest
function stored.places(texts, given)
  local path, rest = given, {}
  for index, text in ipairs(texts) do
    local file, word, fault = parts_of(text)
    if fault then return nil, fault end
    if file and path and uv.fs_realpath(file) ~= uv.fs_realpath(path) then
      local other = given and "--store " .. given or path
      return nil, ("'%s' is in another store than %s"):format(text, other)
    end
    path, rest[index] = path or file, word or false
  end
  return path or stored.usual, rest
end

--- The store and the rest of the text with which a person names a run.  `given`: the value of --store, or
--- nil.  nil, sentence.
---@param text string?
---@param given string?
---@return string? file, string? word
function stored.place(text, given)
  local path, rest = stored.places({ text }, given)
  if not path then return nil, rest end
  return path, rest[1] or nil
end

--- The run that a word without a store means: nil or last: the newest; a number; else the newest of a
--- behavior or robot of that name.  Return its row (see history.run); nil, sentence, code.
---@param db userdata from brio.store
---@param word string?
function stored.row(db, word)
  local number = word and names.number(word)
  if word == nil or word == "last" or number then return history.run(db, number) end
  local found, why = names.newest(db, word)
  if not found then return nil, why end
  return history.run(db, found)
end

--- Open the store of the run that a person names, and find the run: the store, opened for reading, the
--- run's row, and the store's path.  nil, sentence.
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

--- Open for reading the common store of some sets of runs (FILE of FILE#SET, else `given`, else the default
--- one): the store, its path, and the sets as analysis/run_sets.lua expects them.  nil, sentence.
---@param texts string[] FILE alone: the newest run there
---@param given string? what --store says
---@return userdata? db, string path, string[]? words
function stored.open_sets(texts, given)
  local path, rest = stored.places(texts, given)
  if not path then return nil, rest end
  for index, word in ipairs(rest) do rest[index] = word or "last" end
  local db, why = store.open(path)
  if not db then return nil, why end
  return db, path, rest
end

return stored
