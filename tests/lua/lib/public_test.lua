--- The public names of modules (lua/brio/public.lua): each is the module of its file, and old scripts find
--- theirs.
local public = require "brio.public"

test("each public name is the module of its file", function(t)
  for name, file in next, public.modules do
    t:ok(require(name) == require(file), "%s is not %s", name, file)
  end
end)

test("each public name that is one word is a field of brio", function(t)
  local brio = require "brio"
  for name in next, public.modules do
    local field = name:match "^brio%.(%a+)$"
    if field and field ~= "behavior" and field ~= "objective" and field ~= "session" then
      t:ok(brio[field] == require(name), "brio.%s", field)
    end
  end
end)

test("no file of the library stands in the place of a public name", function(t)
  for name in next, public.modules do t:equal((package.searchpath(name, package.path)), nil, name) end
end)

test("a behavior finds what it may see by the public names", function(t)
  local path = t:temporary ".lua"
  local file = assert(io.open(path, "w"))
  file:write [[
local brio, geometry = require "brio", require "brio.geometry"
assert(brio.geometry == geometry and brio.want == require "brio.want" and require("brio.weights"))
local b = brio.behavior "named" { start = "one" }
b.one = { wants = { brio.want.joint_limits {} } }
return b
]]
  file:close()
  local loaded, faults = require("brio.runner").load(path, {})
  t:ok(loaded, "%s", faults and require("brio.runner").sentence(faults))
end)
