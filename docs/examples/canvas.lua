-- A drawing, as SVG or PNG.
local canvas = require "brio.canvas"

local path = os.tmpname()
local c = assert(canvas.new { width = 80, height = 40, svg = path })
c:color(0.2, 0.4, 0.8)
c:polygon({ 10, 10, 70, 10, 40, 35 }, true)
assert(c:finish())
print(io.open(path):read("a"):match("<svg") ~= nil)  --> true
os.remove(path)
