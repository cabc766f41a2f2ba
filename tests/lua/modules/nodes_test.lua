local nodes = require "brio.nodes"

test("a parallel that begins again counts nothing of before, even if the tree is edited", function(t)
  local tree = assert(nodes.new {
    { kind = "sequence", parent = 0, id = 0 }, { kind = "parallel", parent = 1, id = 1 },
    { kind = "wait", seconds = 5, parent = 2, id = 2 }, { kind = "wait", seconds = 5, parent = 2, id = 3 },
    { kind = "wait", seconds = 1, parent = 1, id = 4 } })
  tree:begin()
  tree:work(0)
  tree:again(2)
  tree:migrate(assert(tree:edited { { verb = "set", node = 4, record = { kind = "wait", seconds = 2 } } }))
  tree:work(1)
  t:equal(tree:status(2), "running")
  tree:work(5.5)
  t:equal(tree:status(2), "running")
  tree:work(6)
  t:equal(tree:status(2), "success")
end)
