-- A tree without a robot: two things begin together, the third waits for both; then a step by hand.
local nodes = require "brio.nodes"

local list = {
  { kind = "sequence", name = "all", parent = 0 },
  { kind = "wait", name = "walk", parent = 1, seconds = 2 },
  { kind = "wait", name = "wave", parent = 1, seconds = 0.5, after = "beginning" },
  { kind = "call", name = "greet", parent = 1, after = "all" },
}
local tree = assert(nodes.new(list, function(node, _, fresh, elapsed)
  if fresh then print(list[node].name, "begins") end
  if elapsed >= 0.3 then return true end
end))

tree:begin()
print(tree:work(0), #tree:running())                 --> running	2
print(tree:work(1), #tree:running())                 --> running	1
print(tree:work(2))                                  --> greet	begins
                                                     --> running
print(tree:work(2.5), tree:status(2))                --> success	success	2.0	nil

-- A person goes back to a node and lets one concurrent set begin.
tree:next(3)
tree:step()
print(tree:work(3), tree:next())                     --> running	4
print(tree:automatic(), tree:pack() ~= nil)          --> false	true

-- What is wrong is said.
local none, why = nodes.new { { kind = "sequense", parent = 0 } }
print(none, why) --> nil	there is no kind of node 'sequense' (did you mean 'sequence'?)
