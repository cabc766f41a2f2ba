--- Reads ELAN's annotation files (EAF, https://archive.mpi.nl/tla/elan): tiers with their annotations and
--- times.
local xml = require "brio.xml"

local eaf = {}

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
local function mark_of(slots, one)
  local value = children(one, "ANNOTATION_VALUE")[1]
  local said = one.attributes
  return value and { id = said.ANNOTATION_ID, text = value.text or "", of = said.ANNOTATION_REF,
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
  local root, why = xml.parse(source, file, true)
  if not root then return nil, why end
  if root.name ~= "ANNOTATION_DOCUMENT" then
    return nil, ("%s: ANNOTATION_DOCUMENT was expected, as ELAN writes it, not %s"):format(file, root.name)
  end
  local slots, made = slots_of(root), { properties = {}, tiers = {} }
  for _, header in ipairs(children(root, "HEADER")) do
    for _, one in ipairs(children(header, "PROPERTY")) do
      made.properties[one.attributes.NAME or ""] = one.text or ""
    end
  end
  for _, tier in ipairs(children(root, "TIER")) do
    local list = { id = tier.attributes.TIER_ID or "", marks = {} }
    for _, annotation in ipairs(children(tier, "ANNOTATION")) do
      for _, one in ipairs(annotation) do list.marks[#list.marks + 1] = mark_of(slots, one) end
    end
    made.tiers[#made.tiers + 1] = list
  end
  made.left_out = with_times(made.tiers)
  return made
end

return eaf
