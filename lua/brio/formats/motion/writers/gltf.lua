--- glTF 2.0 as text, with its numbers in base64.
local base64 = require "brio.lib.base64"
local document = require "brio.formats.gltf_writer"
local store = require "brio.store"

local gltf = { name = "gltf", extensions = { "gltf" }, doc = "glTF 2.0, as text" }

function gltf.write(film, description)
  local made, bytes = document.document(film, description)
  if not made then return nil, bytes end
  made.buffers[1].uri = "data:application/octet-stream;base64," .. base64.encode(bytes)
  return store.json(made) .. "\n"
end

return gltf
