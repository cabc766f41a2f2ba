--- Names of runs, as people write them: shared by `stored.lua` (runs in a store) and `live.lua` (active
--- runs). docs/analysis/runs.md is the page for people.
local names = require "brio.lib.run_names"
local uv = require "luv"

local words = {}

--- The first bytes of every SQLite file.
local magic = "SQLite format 3\0"

--- Whether a path is a file of SQLite.
---@param path string
---@return boolean
function words.is_store(path)
  if (uv.fs_stat(path) or {}).type ~= "file" then return false end
  local file = io.open(path, "rb")
  local head = file and file:read(#magic)
  if file then file:close() end
  return head == magic
end

--- Whether a path is a socket.
---@param path string
---@return boolean
function words.is_socket(path) return (uv.fs_stat(path) or {}).type == "socket" end

--- Split "FILE#RUN" or "FILE": the store's path and the word after it (nil: none).  A word without a store
--- is returned as it is: nil, word.  nil, nil, sentence: the word names a store that does not exist.
---@param text string?
---@return string? file, string? word, string? fault
function words.split(text)
  if not text then return nil, nil end
  if words.is_store(text) then return text, nil end
  local file, word = text:match "^(.+)#([^#/]*)$"
  if not file then return nil, text end
  if words.is_store(file) then return file, word ~= "" and word or nil end
  return nil, nil, ("'%s': %s is not a run store"):format(text, file)
end

--- Whether a word can only mean a run, not a file: a number, last, or FILE#RUN.
---@param word string?
---@return boolean
function words.is_run(word)
  if not word then return false end
  if word == "last" or names.number(word) then return true end
  local file, run, fault = words.split(word)
  return fault ~= nil or file ~= nil and run ~= nil
end

return words
