--- A glTF 2.0 document: JSON with binary buffers, beside it, inside it, or as one .glb file; and the numbers
--- of its accessors (Khronos Group, "glTF 2.0 Specification", sections 3.6 and 4.4).
local base64 = require "brio.lib.base64"
local clip = require "brio.formats.clip"
local document = require "brio.formats.json"

local gltf = {}

--- Types of components: the format of string.unpack, the size in bytes, and the divisor of normalized ones.
local components = {
  [5120] = { "<i1", 1, 127 }, [5121] = { "<I1", 1, 255 }, [5122] = { "<i2", 2, 32767 },
    [5123] = { "<I2", 2, 65535 },
  [5125] = { "<I4", 4 }, [5126] = { "<f", 4 },
}
local widths = { SCALAR = 1, VEC2 = 2, VEC3 = 3, VEC4 = 4, MAT2 = 4, MAT3 = 9, MAT4 = 16 }

--- The JSON text and the binary chunk of a .glb; any other text itself.
local function split(text)
  if text:sub(1, 4) ~= "glTF" then return text end
  if #text < 20 then clip.fail("byte " .. #text, "the file is cut off in its head of 20 bytes") end
  local version, length = ("<I4I4"):unpack(text, 5)
  if version ~= 2 then clip.fail("byte 4", "glTF version %d, expected 2", version) end
  if length > #text then clip.fail("byte " .. #text, "the file is cut off: its header has %d bytes",
    length) end
  local at, json, binary = 13, nil, nil
  while at + 7 <= length do
    local size, kind = ("<I4I4"):unpack(text, at)
    if at + 8 + size - 1 > length then
      clip.fail("byte " .. at - 1, "a chunk of %d bytes reaches beyond the end", size)
    end
    local bytes = text:sub(at + 8, at + 7 + size)
    if kind == 0x4e4f534a then json = json or bytes end
    if kind == 0x004e4942 then binary = binary or bytes end
    at = at + 8 + size
  end
  if not json then clip.fail("byte 12", "no chunk of JSON in it") end
  return json, binary
end

--- Items of the document by index, from 0 as in glTF.
local function item(self, list, index, where)
  local items = self.json[list]
  local whole = math.tointeger(index)
  local found = type(items) == "table" and whole and items[whole + 1]
  if type(found) ~= "table" then clip.fail(where, "%s %s does not exist", list, document.shown(index)) end
  return found
end

local function load_buffer(self, index, where)
  if self.buffers[index] then return self.buffers[index] end
  local buffer = item(self, "buffers", index, where)
  local uri, bytes = buffer.uri, nil
  if uri == nil then
    bytes = self.binary or clip.fail(where, "buffer %d has no uri and the file no binary chunk", index)
  elseif type(uri) ~= "string" then
    clip.fail(where, "the uri of buffer %d is no text", index)
  elseif uri:match "^data:" then
    bytes = base64.decode(uri:match "^data:[^,]*,(.*)$" or "")
  else
    local why
    bytes, why = self.beside((uri:gsub("%%(%x%x)", function(hex) return string.char(tonumber(hex, 16)) end)))
    if not bytes then clip.fail(where, "its buffer cannot be read: %s", why) end
  end
  local length = document.whole(buffer, "byteLength", where, 0)
  if #bytes < length then
    local file = type(uri) == "string" and not uri:match "^data:" and (" (%s)"):format(uri) or ""
    clip.fail(where, "buffer %d%s has %d bytes of %d: it is cut off", index, file, #bytes, length)
  end
  self.buffers[index] = bytes
  return bytes
end

--- Append `count` rows of `width` numbers from a view to `out`.
local function unpack_rows(self, spec, out, where)
  local view = item(self, "bufferViews", spec.view, where)
  local component = components[spec.component]
  if not component then
    clip.fail(where, "component type %s, expected 5120 to 5126", document.shown(spec.component))
  end
  local bytes = load_buffer(self, document.whole(view, "buffer", where, 0), where)
  local size = component[2]
  local stride = document.whole(view, "byteStride", where, 0, 0)
  if stride == 0 then stride = size * spec.width end
  local first = document.whole(view, "byteOffset", where, 0, 0) + spec.offset
  if first + (spec.count - 1) * stride + size * spec.width > #bytes then
    clip.fail(where, "it reaches to byte %d of a buffer of %d",
      first + (spec.count - 1) * stride + size * spec.width, #bytes)
  end
  for row = 0, spec.count - 1 do
    for column = 0, spec.width - 1 do
      local value = component[1]:unpack(bytes, first + row * stride + column * size + 1)
      out[#out + 1] = spec.normalized and component[3] and math.max(value / component[3], -1) or value
    end
  end
  return out
end

--- Replace values at single indices (sparse accessors).
local function apply_sparse(self, sparse, width, values, spec, where)
  local count = document.whole(sparse, "count", where, 0)
  if type(sparse.indices) ~= "table" or type(sparse.values) ~= "table" then
    clip.fail(where, "a sparse part without lists")
  end
  local places = unpack_rows(self, { view = sparse.indices.bufferView,
    component = sparse.indices.componentType,
    offset = document.whole(sparse.indices, "byteOffset", where, 0, 0), width = 1, count = count }, {}, where)
  local fresh = unpack_rows(self, { view = sparse.values.bufferView, component = spec.component,
    offset = document.whole(sparse.values, "byteOffset", where, 0, 0), width = width, count = count,
    normalized = spec.normalized }, {}, where)
  for index, place in ipairs(places) do
    if place * width >= #values then clip.fail(where, "a sparse value at %d, beyond the end", place) end
    for column = 1, width do values[place * width + column] = fresh[(index - 1) * width + column] end
  end
end

--- The numbers of an accessor, flat, and the number of columns.
function gltf.accessor(self, index, where)
  if self.accessors[index] then return self.accessors[index], self.widths[index] end
  local accessor = item(self, "accessors", index, where)
  local width = widths[accessor.type] or clip.fail(where, "accessor type '%s'", tostring(accessor.type))
  local count = document.whole(accessor, "count", where, 0)
  if count * width > clip.most_keys then
    clip.fail(where, "%d numbers, expected at most %d", count * width, clip.most_keys)
  end
  local spec = { view = accessor.bufferView, component = accessor.componentType, width = width, count = count,
    offset = document.whole(accessor, "byteOffset", where, 0, 0), normalized = accessor.normalized == true }
  local values = {}
  if accessor.bufferView ~= nil and count > 0 then
    unpack_rows(self, spec, values, where)
  else
    for place = 1, count * width do values[place] = 0 end
  end
  if accessor.sparse ~= nil then apply_sparse(self, accessor.sparse, width, values, spec, where) end
  self.accessors[index], self.widths[index] = values, width
  return values, width
end

gltf.item = item

--- Open a document. `beside(name)` returns the bytes of a file beside it, or nil and a sentence.
function gltf.open(text, beside)
  local json, binary = split(text)
  local data = document.json(json)
  if type(data) ~= "table" or type(data.asset) ~= "table" then
    clip.fail(nil, "no glTF: it has no 'asset'")
  end
  if tostring(data.asset.version):match "^%d+" ~= "2" then
    clip.fail(nil, "glTF version %s, expected 2", tostring(data.asset.version))
  end
  for _, name in ipairs(type(data.extensionsRequired) == "table" and data.extensionsRequired or {}) do
    if name == "EXT_meshopt_compression" or name == "KHR_animation_pointer" then
      clip.fail(nil, "it needs the extension %s, which is not read; export it without", name)
    end
  end
  return { json = data, binary = binary, beside = beside, buffers = {}, accessors = {}, widths = {} }
end

return gltf
