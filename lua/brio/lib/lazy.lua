--- Modules that are loaded when they are first used: what a run does not use costs nothing at its start.
---
---     local whole = lazy "brio.tree.files.build"   -- stands for the module, and becomes it at the first
---                                                  field
---     local gaze = lazy("brio.character.gaze", { name = "gaze" })   -- some fields are known without it
---     lazy.load_next()                       -- in the slack of a tick: loads one that is still to come
---
--- The stand-in is a table whose fields are the module's.  It is for modules of functions, not for those that
--- return a function, and whoever loops over a module's fields needs `require`.
local lazy = {}

--- The stand-ins that still wait, in the order in which they were made: {stand_in, name}.
local waiting = {}

--- Make the stand-in of a module that is loaded now.  Fields that were known before are what the module has;
--- false stands for none.
local function become(stand_in, name)
  local module = require(name)
  for key, value in next, stand_in do assert(value == (module[key] or false), key) end
  setmetatable(stand_in, { __index = module, __newindex = module })
  return module
end

--- A stand-in for a module, or the module where it is loaded already.  `known`: fields that it has without
--- being loaded; nil: none.
local function stand_for(name, known)
  local loaded = package.loaded[name]
  if type(loaded) == "table" then return loaded end
  local stand_in = known or {}
  waiting[#waiting + 1] = { stand_in, name }
  return setmetatable(stand_in, {
    __index = function(self, key) return become(self, name)[key] end,
    __newindex = function(self, key, value) become(self, name)[key] = value end,
  })
end

--- Load one module that still waits.  Returns its name, or nil: none waits.
function lazy.load_next()
  while #waiting > 0 do
    local stand_in, name = table.unpack(table.remove(waiting, 1))
    if not package.loaded[name] then
      become(stand_in, name)
      return name
    end
  end
end

return setmetatable(lazy, { __call = function(_, ...) return stand_for(...) end })
