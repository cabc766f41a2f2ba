--- Active runs: a list of them, and which one a person means (docs/analysis/runs.md).
local clients = require "brio.runs.client"
local columns = require "brio.lib.columns"
local names = require "brio.lib.run_names"
local uv = require "luv"
local words = require "brio.runs.names"

local live = {}

--- Rows {run (its socket), behavior, robot, process, number, store} of the runs that can be attached to;
--- number and store are nil if the run is not recorded.
function live.list()
  local list = {}
  for index, row in ipairs(clients.runs()) do
    row.process = math.tointeger(tonumber(row.run:match "([^/]*)%.sock$"))
    list[index] = row
  end
  return list
end

local listed = { "run", "behavior", "robot", "number" }

--- A list of runs as a table for people.
function live.text(list) return columns.text(listed, list) end

--- Time at which a socket was created, s.
local function made_at(row)
  local about = uv.fs_stat(row.run)
  return about and about.ctime.sec + about.ctime.nsec * 1e-9 or 0
end

local function newest(list)
  local found, latest = {}, -1
  for _, row in ipairs(list) do
    local at = made_at(row)
    if at > latest then found, latest = { row }, at end
  end
  return found
end

--- The rows for which a condition holds.
local function where(list, holds)
  local found = {}
  for _, row in ipairs(list) do
    if holds(row) then found[#found + 1] = row end
  end
  return found
end

--- The rows that a word means: nil: all; "last"; a number: of a process or of a run in its store; else a
--- name.
local function meant(list, word)
  if not word then return list end
  if word == "last" then return newest(list) end
  local number = names.number(word)
  if number then
    return where(list, function(row) return row.process == number or row.number == number end)
  end
  return names.named(list, word)
end

--- The rows that are recorded in a store.
local function in_store(list, file)
  local path = uv.fs_realpath(file)
  return where(list, function(row) return row.store ~= nil and uv.fs_realpath(row.store) == path end)
end

--- The sentence that no run matches.
local function none(word)
  if not word then
    return "no run can be attached to: start one with `brio run FILE.lua`, or name its socket"
  end
  return ("no run matches '%s'; `brio attach --list` lists them"):format((word:gsub("%c", "?")))
end

--- The socket of the run that is meant.  `command`: the words of the person, for the message.  nil,
--- sentence if there is none; nil, sentence, rows if there are several.
---@param word string? nil: the only one
---@param command string
---@return string? path, string? why, table[]? rows
function live.find(word, command)
  if word and words.is_socket(word) then return word end
  local file, name, fault = words.split(word)
  if fault then return nil, fault, {} end
  local list = live.list()
  local found = meant(file and in_store(list, file) or list, name)
  if #found == 1 then return found[1].run end
  if #found == 0 then return nil, none(word), found end
  local sentence = "there are %d runs: name one, as in %s %s"
  return nil, sentence:format(#found, command, found[1].run), found
end

return live
