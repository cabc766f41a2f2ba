--- Base64 (RFC 4648).
local base64 = {}

local letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
local letter_of, value_of = {}, {}
for index = 1, #letters do
  letter_of[index - 1], value_of[letters:byte(index)] = letters:sub(index, index), index - 1
end

--- The text of some bytes, padded.
---@param bytes string
---@return string
function base64.encode(bytes)
  local out = {}
  for index = 1, #bytes, 3 do
    local a, b, c = bytes:byte(index, index + 2)
    local bits = a << 16 | (b or 0) << 8 | (c or 0)
    local four = {}
    for place = 0, 3 do
      four[place + 1] = place > (c and 3 or b and 2 or 1) and "="
        or letter_of[(bits >> (18 - 6 * place)) & 63]
    end
    out[#out + 1] = table.concat(four)
  end
  return table.concat(out)
end

--- The bytes of a text; other characters are skipped.
---@param text string
---@return string
function base64.decode(text)
  local out, bits, count = {}, 0, 0
  for index = 1, #text do
    local value = value_of[text:byte(index)]
    if value then
      bits, count = (bits << 6 | value) & 0xffffff, count + 6
      if count >= 8 then
        count = count - 8
        out[#out + 1] = string.char(bits >> count & 0xff)
      end
    end
  end
  return table.concat(out)
end

return base64
