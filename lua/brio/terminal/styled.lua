--- Lines for a terminal, drawn in pieces: a line is a list of {text, style}; a style is a name of
--- `pieces.styles`.
local pretty = require "brio.lib.pretty"

local pieces = {}

--- Styles as terminals know them (ECMA-48, SGR).
pieces.styles = { head = "1", dim = "2", good = "32", warn = "33", bad = "1;31", rule = "2", mark = "36",
  title = "1;36", chosen = "7" }

--- Number of characters of a text.
function pieces.width(text) return utf8.len(text) or #text end

--- The first `width` characters of a text, with `glyphs.cut` at the end if it was cut.
function pieces.cut(text, width, glyphs)
  text = text:gsub("[%c\127]", " ")
  if pieces.width(text) <= width then return text end
  if width < 1 then return "" end
  local keep = utf8.len(text) and text:sub(1, utf8.offset(text, width) - 1) or text:sub(1, width - 1)
  return keep .. glyphs.cut
end

--- A text with blanks up to `width`, before it if `right`.
function pieces.padded(text, width, right)
  local space = (" "):rep(math.max(0, width - pieces.width(text)))
  return right and space .. text or text .. space
end

--- A line of a number of characters: cut if it is longer, and without control characters.
function pieces.clipped(line, width, glyphs)
  local made, left = {}, width
  for _, piece in ipairs(line) do
    local text = piece[1]:gsub("[%c\127]", " ")
    if pieces.width(text) > left then
      made[#made + 1] = { pieces.cut(text, left, glyphs), piece[2] }
      return made
    end
    made[#made + 1], left = { text, piece[2] }, left - pieces.width(text)
  end
  return made
end

--- Number of characters of a line.
function pieces.length(line)
  local length = 0
  for _, piece in ipairs(line) do length = length + pieces.width(piece[1]) end
  return length
end

--- The lower part: a rule, the newest `count` lines of the log, {text, level} each, and the keys.
function pieces.foot(log, keys, count, glyphs, width)
  local lines = { { { glyphs.rule:rep(width), "rule" } } }
  for index = math.max(1, #log - count + 1), #log do
    local said = log[index]
    lines[#lines + 1] = { { said.text, said.level == "error" and "bad" or said.level == "warning" and "warn"
      or "dim" } }
  end
  lines[#lines + 1] = { { keys, "dim" } }
  return lines
end

--- A line as text, with colors or without.
function pieces.text(line, colored)
  local parts = {}
  for _, piece in ipairs(line) do
    local style = colored and piece[2] and pieces.styles[piece[2]]
    local said = pretty.visible(piece[1])
    parts[#parts + 1] = style and ("\27[%sm%s\27[0m"):format(style, said) or said
  end
  local text = table.concat(parts)
  return colored and text or (text:gsub("%s+$", ""))
end

return pieces
