--- Reads ELAN's annotation files (EAF, https://archive.mpi.nl/tla/elan): tiers with their annotations and
--- times.
local utf = utf8
local xml = require "brio.xml"

local eaf = {}

local entities = { lt = "<", gt = ">", amp = "&", quot = '"', apos = "'" }

--- A text with XML entities resolved.
local function unescaped(text)
  return (text:gsub("&(#?x?)(%w+);", function(kind, name)
    if kind == "" then return entities[name] end
    local code = tonumber(name, kind == "#x" and 16 or 10)
    return code and code <= 0x10FFFF and utf.char(code) or nil
  end))
end

--- Offsets of the lines of a text.
local function lines_of(text)
  local list, at = { 1 }, 0
  while true do
    at = text:find("\n", at + 1, true)
    if not at then return list end
    list[#list + 1] = at + 1
  end
end

--- The text in an element: the parser keeps the position of its tag, and has checked that the document is
--- well-formed.
local function text_in(source, lines, element)
  local tag = source:find(">", lines[element.line] + element.column - 1, true)
  if source:sub(tag - 1, tag - 1) == "/" then return "" end
  local text = source:sub(tag + 1, (source:find("</", tag, true) or #source + 1) - 1)
  return unescaped(text:match "^<!%[CDATA%[(.*)%]%]>$" or text)
end

local function children(element, name)
  local list = {}
  for _, child in ipairs(element) do
    if child.name == name then list[#list + 1] = child end
  end
  return list
end

--- Times by the name of their slot, ms; a slot without a value has none.
local function slots_of(root)
  local slots = {}
  for _, order in ipairs(children(root, "TIME_ORDER")) do
    for _, slot in ipairs(children(order, "TIME_SLOT")) do
      slots[slot.attributes.TIME_SLOT_ID or ""] = math.tointeger(tonumber(slot.attributes.TIME_VALUE))
    end
  end
  return slots
end

--- An annotation as { id, from, to (ms), text }, or { id, of = the annotation to which it refers, text };
--- nil: it has no text.
local function mark_of(source, lines, slots, one)
  local value = children(one, "ANNOTATION_VALUE")[1]
  local said = one.attributes
  return value and { id = said.ANNOTATION_ID, text = text_in(source, lines, value), of = said.ANNOTATION_REF,
    from = slots[said.TIME_SLOT_REF1 or ""], to = slots[said.TIME_SLOT_REF2 or ""] }
end

--- Set the times of annotations that refer to another one; those without times are dropped.
local function with_times(tiers)
  local by_id, left_out = {}, 0
  for _, tier in ipairs(tiers) do
    for _, mark in ipairs(tier.marks) do by_id[mark.id or ""] = mark end
  end
  for _, tier in ipairs(tiers) do
    local kept = {}
    for _, mark in ipairs(tier.marks) do
      local source, steps = mark, 0
      while source and source.of and not source.from and steps < 64 do
        source, steps = by_id[source.of], steps + 1
      end
      if source and source.from and source.to then
        mark.from, mark.to = source.from, source.to
        kept[#kept + 1] = mark
      else
        left_out = left_out + 1
      end
    end
    tier.marks = kept
  end
  return left_out
end

--- Read the text of an .eaf: { properties = { name = text }, tiers = { { id, marks = { { from, to (ms
--- of the recording), text } } } }, left_out (annotations without times) }; nil and a sentence.
function eaf.parse(source, file)
  local root, why = xml.parse(source, file)
  if not root then return nil, why end
  if root.name ~= "ANNOTATION_DOCUMENT" then
    return nil, ("%s: ANNOTATION_DOCUMENT was expected, as ELAN writes it, not %s"):format(file, root.name)
  end
  local lines, slots, made = lines_of(source), slots_of(root), { properties = {}, tiers = {} }
  for _, header in ipairs(children(root, "HEADER")) do
    for _, one in ipairs(children(header, "PROPERTY")) do
      made.properties[one.attributes.NAME or ""] = text_in(source, lines, one)
    end
  end
  for _, tier in ipairs(children(root, "TIER")) do
    local list = { id = tier.attributes.TIER_ID or "", marks = {} }
    for _, annotation in ipairs(children(tier, "ANNOTATION")) do
      for _, one in ipairs(annotation) do list.marks[#list.marks + 1] = mark_of(source, lines, slots, one) end
    end
    made.tiers[#made.tiers + 1] = list
  end
  made.left_out = with_times(made.tiers)
  return made
end

return eaf
