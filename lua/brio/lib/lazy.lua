--- Modules that are loaded on first use, so that unused modules cost nothing at the start of a run.
---
---     local whole = lazy "brio.tree.files.build"   -- a stand-in, which loads the module when a field
---                                                   is first accessed
---     local gaze = lazy("brio.character.gaze", { name = "gaze" })   -- some fields are known without it
---     lazy.load_next()                       -- in the slack of a tick: loads one of the remaining modules
---
--- The stand-in is a table with the module's fields.  It works for modules of functions, not for those that
--- return a function; code that iterates over a module's fields must use `require`.
local lazy = {}

--- The unloaded stand-ins, in the order of their creation: {stand_in, name}.
local waiting = {}

--- Fill the stand-in of a module that is loaded now.  Fields that were known before get the module's
--- values; false means nil.
local function become(stand_in, name)
  local module = require(name)
  for key, value in next, stand_in do assert(value == (module[key] or false), key) end
  setmetatable(stand_in, { __index = module, __newindex = module })
  return module
end

--- A stand-in for a module, or the module itself if it is already loaded.  `known`: fields that it has
--- before it is loaded, or nil.
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

--- Load one of the remaining modules.  Return its name, or nil if there is none.
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
