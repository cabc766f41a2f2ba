--- A ZIP archive with stored (uncompressed) entries (PKWARE, APPNOTE 6.3.3, sections 4.3 to 4.5). It does not
--- contain when or where it was made.
local zip = {}

local crcs = {}
for byte = 0, 255 do
  local value = byte
  for _ = 1, 8 do value = value & 1 == 1 and 0xEDB88320 ~ (value >> 1) or value >> 1 end
  crcs[byte] = value
end

--- CRC-32 of a text.
function zip.crc(text)
  local value = 0xFFFFFFFF
  for at = 1, #text do value = crcs[(value ~ text:byte(at)) & 0xFF] ~ (value >> 8) end
  return value ~ 0xFFFFFFFF
end

--- 1 January 1980, the earliest date: date and time of every entry.
local date = 1 << 5 | 1

--- Common fields of the header of an entry and its row in the directory.
local function fields(name, text)
  return ("<I2I2I2I2I2I4I4I4I2I2"):pack(20, 1 << 11, 0, 0, date, zip.crc(text), #text, #text, #name, 0)
end

--- An archive of a list of { name, text }.
function zip.pack(files)
  local parts, directory, at = {}, {}, 0
  for _, file in ipairs(files) do
    local name, text = file[1], file[2]
    local head = "PK\3\4" .. fields(name, text) .. name
    directory[#directory + 1] = "PK\1\2" .. ("<I2"):pack(20) .. fields(name, text)
      .. ("<I2I2I2I4I4"):pack(0, 0, 0, 0, at) .. name
    parts[#parts + 1], parts[#parts + 2] = head, text
    at = at + #head + #text
  end
  local rows = table.concat(directory)
  return table.concat(parts) .. rows .. "PK\5\6"
    .. ("<I2I2I2I2I4I4I2"):pack(0, 0, #files, #files, #rows, at, 0)
end

return zip
