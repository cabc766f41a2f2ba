--- glTF 2.0 as one binary file: the robot's links as nodes, and the motion as an animation.
local gltf = require "brio.formats.gltf_writer"
local store = require "brio.store"

local glb = { name = "glb", extensions = { "glb" },
  doc = "glTF 2.0, one file: the robot's links as nodes, animated" }

--- The file of a document and its buffer.
function glb.pack(document, bytes)
  local json = store.json(document)
  json = json .. (" "):rep(-#json % 4)
  local body = ("<I4I4"):pack(#json, 0x4e4f534a) .. json .. ("<I4I4"):pack(#bytes, 0x004e4942) .. bytes
  return "glTF" .. ("<I4I4"):pack(2, 12 + #body) .. body
end

function glb.write(film, description)
  local document, bytes = gltf.document(film, description)
  if not document then return nil, bytes end
  return glb.pack(document, bytes)
end

return glb
