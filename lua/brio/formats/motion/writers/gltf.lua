--- glTF 2.0 as text, with its numbers in base64.
local document = require "brio.formats.gltf_writer"
local store = require "brio.store"

local gltf = { name = "gltf", extensions = { "gltf" }, doc = "glTF 2.0, as text" }

local letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"

local function base64(bytes)
  local out = {}
  for index = 1, #bytes, 3 do
    local a, b, c = bytes:byte(index, index + 2)
    local bits = a << 16 | (b or 0) << 8 | (c or 0)
    local four = {}
    for place = 0, 3 do
      local at = (bits >> (18 - 6 * place)) & 63
      four[place + 1] = place > (c and 3 or b and 2 or 1) and "=" or letters:sub(at + 1, at + 1)
    end
    out[#out + 1] = table.concat(four)
  end
  return table.concat(out)
end

function gltf.write(film, description)
  local made, bytes = document.document(film, description)
  if not made then return nil, bytes end
  made.buffers[1].uri = "data:application/octet-stream;base64," .. base64(bytes)
  return store.json(made) .. "\n"
end

return gltf
