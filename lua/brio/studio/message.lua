--- JSON of pages and runs: tables from texts that nobody has checked, and texts from tables.
local cjson = require "cjson"
local store = require "brio.store"

local message = {}

local decoder = cjson.new()
decoder.decode_invalid_numbers(false)
decoder.decode_max_depth(20)

--- The object or list of a text; nil: it is none.
---@param text string
---@return table?
function message.read(text)
  local good, made = pcall(decoder.decode, text)
  return good and type(made) == "table" and made or nil
end

--- A table as a text.
message.text = store.json

--- A list, also if it is empty.
message.list = store.array

return message
