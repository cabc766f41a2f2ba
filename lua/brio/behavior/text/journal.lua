--- The history of a file's edits on the disk, below $XDG_STATE_HOME/brio/edits (~/.local/state/brio/edits):
--- so that undo works after programs have ended.
local base64 = require "brio.lib.base64"
local disk = require "brio.file"
local history = require "brio.behavior.text.history"
local json = require "brio.formats.json"
local store = require "brio.store"
local uv = require "luv"

local journal = {}

--- The file that keeps the history of another one; nil: there is no place for it.
---@param path string absolute
---@return string?
function journal.place(path)
  local state = os.getenv "XDG_STATE_HOME"
  if not state or state:sub(1, 1) ~= "/" then
    local home = os.getenv "HOME"
    if not home or home == "" then return nil end
    state = home .. "/.local/state"
  end
  return ("%s/brio/edits/%s.json"):format(state, store.hash(path):sub(1, 32))
end

--- Texts as JSON can have them: those that are no UTF-8 as base64.
local function packed(text) return utf8.len(text) and "=" .. text or "b" .. base64.encode(text) end

local function unpacked(text)
  if type(text) ~= "string" then return nil end
  if text:sub(1, 1) == "=" then return text:sub(2) end
  return base64.decode(text:sub(2))
end

--- The history that a text holds; nil: it holds none.
local function parsed(text)
  local good, value = pcall(json.json, text, "history")
  if not good or type(value) ~= "table" or type(value.texts) ~= "table" then return nil end
  for hash, one in pairs(value.texts) do value.texts[hash] = unpacked(one) end
  return history.is_sound(value) and value or nil
end

--- The history of a file: an empty one if there is none, or none that can be read (the second value says
--- why).
---@param path string absolute
---@return table kept, string? why
function journal.read(path)
  local place = journal.place(path)
  if not place then return history.new(), "there is no home folder" end
  local text, why, code = disk.read(place, 3 * history.most_bytes)
  if not text then return history.new(), code ~= "no_file" and why or nil end
  local value = parsed(text)
  if not value then return history.new(), place .. " is no history of edits" end
  return value
end

--- Make the folders of a path, for its user alone.
local function make_folders(path)
  local at = 1
  while true do
    at = path:find("/", at + 1, true)
    if not at then return end
    uv.fs_mkdir(path:sub(1, at - 1), 448)
  end
end

--- Keep the history of a file.  nil, sentence.
---@param path string absolute
---@param kept table
---@return boolean? good, string? why
function journal.write(path, kept)
  local place = journal.place(path)
  if not place then return nil, "there is no home folder" end
  make_folders(place)
  local texts = {}
  for hash, text in pairs(kept.texts) do texts[hash] = packed(text) end
  return disk.replace(place, store.json { edits = store.array(kept.edits), texts = texts })
end

return journal
