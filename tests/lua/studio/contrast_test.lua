--- The contrast of the page's colors is AA (WCAG 2.1: 1.4.3 for texts, 4.5 : 1; 1.4.11 for edges of controls
--- and for the mark of the focus, 3 : 1), by its style sheet alone. A text without a ground of its own is
--- checked on every ground of the sheet on which a text may stand. What the browser makes of it:
--- tests/program/studio/page_test.lua.
local page = "lua/brio/studio/page/"

local function read(path)
  local file = assert(io.open(path, "r"))
  local text = file:read "a"
  file:close()
  return text
end

-- Colors -----------------------------------------------------------------------------------------------

--- Red, green, blue and opacity, 0 to 1, of #rgb, #rgba, #rrggbb or #rrggbbaa; nil: it is none.
local function color_of(text)
  local digits = text and text:match "^#(%x+)$"
  if digits and #digits < 5 then digits = digits:gsub("%x", "%0%0") end
  if not digits or #digits ~= 6 and #digits ~= 8 then return nil end
  local made = {}
  for pair in digits:gmatch "%x%x" do made[#made + 1] = tonumber(pair, 16) / 255 end
  made[4] = made[4] or 1
  return made
end

--- A color over an opaque one, with `opacity` beside its own.
local function over(color, ground, opacity)
  local share, made = color[4] * (opacity or 1), { 0, 0, 0, 1 }
  for k = 1, 3 do made[k] = share * color[k] + (1 - share) * ground[k] end
  return made
end

--- The relative luminance of an opaque color, and the contrast of two (WCAG 2.1, "Definitions").
local function luminance(color)
  local parts = {}
  for k = 1, 3 do
    parts[k] = color[k] <= 0.03928 and color[k] / 12.92 or ((color[k] + 0.055) / 1.055) ^ 2.4
  end
  return 0.2126 * parts[1] + 0.7152 * parts[2] + 0.0722 * parts[3]
end

local function contrast(a, b)
  local x, y = luminance(a), luminance(b)
  return (math.max(x, y) + 0.05) / (math.min(x, y) + 0.05)
end

local white, black = { 1, 1, 1, 1 }, { 0, 0, 0, 1 }

-- The style sheet --------------------------------------------------------------------------------------

--- The simple selectors of a compound one: {["button"] = true, [".on"] = true}, and its specificity.
local function simple_of(compound)
  local set, weight = {}, 0
  for one in compound:gmatch "%b[]" do set[one], weight = true, weight + 10 end
  for one in compound:gsub("%b[]", ""):gmatch "[.:#]*[%w_-]+" do
    set[one], weight = true, weight + (one:find "^#" and 100 or one:find "^%.?[.:]" and 10 or 1)
  end
  return set, weight
end

--- The rules of a sheet in order: {selector, parts = list of sets, weight, style = {property = value}}.
local function rules_of(text)
  local rules = {}
  text = text:gsub("/%*.-%*/", ""):gsub("@media[^{]*(%b{})", function(block) return block:sub(2, -2) end)
  for selectors, block in text:gmatch "([^{}]+)(%b{})" do
    local style = {}
    for name, value in block:sub(2, -2):gmatch "([%w-]+)%s*:%s*([^;]+)" do
      style[name] = value:match "^(.-)%s*$"
    end
    for selector in selectors:gmatch "[^,]+" do
      local rule = { selector = selector:match "^%s*(.-)%s*$", parts = {}, weight = 0, style = style }
      for compound in rule.selector:gmatch "[^%s>]+" do
        local set, weight = simple_of(compound)
        rule.parts[#rule.parts + 1], rule.weight = set, rule.weight + weight
      end
      rules[#rules + 1] = rule
    end
  end
  return rules
end

--- Whether an element with those simple selectors and ancestors is one of a rule.
local function matches(rule, element)
  for index = #rule.parts, 1, -1 do
    local last = index == #rule.parts
    for one in pairs(rule.parts[index]) do
      if not (last and element.own or element.all)[one] then return false end
    end
  end
  return true
end

--- What holds for an element: the properties of all rules that it is one of, by weight and order.
local function style_of(rules, element)
  local list, style = {}, {}
  for index, rule in ipairs(rules) do
    if matches(rule, element) then list[#list + 1] = { rule = rule, index = index } end
  end
  table.sort(list, function(a, b)
    if a.rule.weight ~= b.rule.weight then return a.rule.weight < b.rule.weight end
    return a.index < b.index
  end)
  for _, one in ipairs(list) do
    for name, value in pairs(one.rule.style) do style[name] = value end
  end
  return style
end

--- Classes whose elements are buttons, and elements whose fill is no ground of a text.
local buttons = { [".panic"] = true, [".close"] = true, ["[role=tab]"] = true, [".primary"] = true }
local drawn = { [".meter span"] = true, [".emotion .dot"] = true, [".chart marker path"] = true }

--- An element for a rule, as its selector describes it; more: further simple selectors of its own.
local function element_of(rule, more)
  local own, all = {}, {}
  for index, set in ipairs(rule.parts) do
    for one in pairs(set) do
      all[one] = true
      if index == #rule.parts then own[one] = true end
    end
  end
  for one in pairs(own) do if buttons[one] then own.button = true end end
  for _, one in ipairs(more or {}) do own[one] = true end
  for one in pairs(own) do all[one] = true end
  return { own = own, all = all, name = rule.selector .. table.concat(more or {}) }
end

--- The elements of a sheet's rules; buttons also while the mouse is over them.
local function elements_of(rules)
  local list = {}
  for _, rule in ipairs(rules) do
    local one = element_of(rule)
    list[#list + 1] = one
    if one.own.button and not one.own[":hover"] then list[#list + 1] = element_of(rule, { ":hover" }) end
  end
  return list
end

--- The colors of an element: {text, ground, edge, opacity}; each nil: it has none of its own.  In drawings, a
--- text is filled with its color, and any other form with a ground.
local function paint_of(rules, variables, element)
  local style = style_of(rules, element)
  local function color(name)
    local value = style[name] and style[name]:gsub("var%((%-%-[%w-]+)%)", variables)
    return value and color_of(value:match "#%x+")
  end
  local made = { text = color "color", ground = color "background", opacity = tonumber(style.opacity),
    edge = element.own.button and (color "border-color" or color "border") or nil }
  if style.fill then made[element.own.text and "text" or "ground"] = color "fill" end
  return made
end

-- Tests ------------------------------------------------------------------------------------------------

--- The opaque colors that a ground may have: one with less opacity stands over the view, which may be black.
local function opaque(ground)
  return ground[4] < 1 and { over(ground, white), over(ground, black) } or { ground }
end

--- What stands on what in the page's sheet: {pairs = list of {name, text, opacity, on, ground}, grounds =
--- list of {name, color}, edges = list of {name, color}, variables}.  Elements with a color and a ground of
--- their own are a pair; any other text is paired with every ground that has no text's color of its own.
local function sheet()
  local rules, made, texts = rules_of(read(page .. "style.css")), { pairs = {}, edges = {} }, {}
  for _, rule in ipairs(rules) do
    if rule.selector == ":root" then made.variables = rule.style end
  end
  made.grounds = { { name = "white", color = white } }
  for _, element in ipairs(elements_of(rules)) do
    local paint = paint_of(rules, made.variables, element)
    local text = paint.text or paint.opacity and color_of(made.variables["--ink"])
    for _, ground in ipairs(paint.ground and opaque(paint.ground) or {}) do
      if text then
        made.pairs[#made.pairs + 1] = { name = element.name, text = text, opacity = paint.opacity,
          on = element.name, ground = ground }
      elseif not drawn[element.name] then
        made.grounds[#made.grounds + 1] = { name = element.name, color = ground }
      end
    end
    if text and not paint.ground then
      texts[#texts + 1] = { name = element.name, text = text, opacity = paint.opacity }
    end
    if paint.edge then made.edges[#made.edges + 1] = { name = element.name, color = paint.edge } end
  end
  for _, text in ipairs(texts) do
    for _, ground in ipairs(made.grounds) do
      made.pairs[#made.pairs + 1] = { name = text.name, text = text.text, opacity = text.opacity,
        on = ground.name, ground = ground.color }
    end
  end
  return made
end

test("the mathematics is WCAG's: known contrasts", function(t)
  t:near(contrast(white, black), 21, 1e-9)
  -- The gray that WCAG's techniques give as the lightest of AA on white (G18), and a step lighter.
  t:ok(contrast(color_of "#767676", white) >= 4.5, "767676")
  t:ok(contrast(color_of "#777777", white) < 4.5, "777777")
  t:near(contrast(color_of "#f00", white), 3.998, 1e-3)
  t:near(over(color_of "#00000080", white)[1], 1 - 128 / 255, 1e-9)
end)

test("every text of the style sheet is readable on every ground that it may stand on", function(t)
  local made = sheet()
  t:ok(#made.pairs > 300 and #made.grounds > 20, "%d pairs, %d grounds", #made.pairs, #made.grounds)
  for _, one in ipairs(made.pairs) do
    local found = contrast(over(one.text, one.ground, one.opacity), one.ground)
    t:ok(found >= 4.5, "%s on %s: %.2f : 1, not 4.5", one.name, one.on, found)
  end
end)

test("edges of buttons and the mark of the focus stand out", function(t)
  local made = sheet()
  local mark = color_of(read(page .. "style.css"):match ":focus%-visible *{ *outline:[^;]*(#%x+)")
  for _, ground in ipairs(made.grounds) do
    local found = contrast(mark, ground.color)
    t:ok(found >= 3, "the focus on %s: %.2f : 1", ground.name, found)
  end
  t:ok(#made.edges > 1, "%d edges", #made.edges)
  for _, edge in ipairs(made.edges) do
    for _, name in ipairs { "--card", "--back" } do
      local found = contrast(edge.color, color_of(made.variables[name]))
      t:ok(found >= 3, "the edge of %s on %s: %.2f : 1", edge.name, name, found)
    end
  end
end)

test("texts that scripts draw are readable: names of states on the time bar, lines of plots", function(t)
  local bar = read(page .. "timebar.js")
  local ink, count = color_of(bar:match 'fillStyle = "(#%x+)"'), 0
  for color in bar:match "stateColors = (%b[])":gmatch "#%x+" do
    count = count + 1
    local found = contrast(ink, color_of(color))
    t:ok(found >= 4.5, "the name of a state on %s: %.2f : 1", color, found)
  end
  t:equal(count, 8)
  for color in read(page .. "panels/plots.js"):gmatch '"(#%x+)"' do
    local found = contrast(color_of(color), white)
    t:ok(found >= 4.5, "%s of a plot on white: %.2f : 1", color, found)
  end
end)
