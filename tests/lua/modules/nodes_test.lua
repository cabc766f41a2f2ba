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

test("the depth of a node is its own, not that of the one before it", function(t)
  local list = { { kind = "sequence", parent = 0 } }
  for i = 1, 199 do list[i + 1] = { kind = "sequence", parent = i } end
  list[201] = { kind = "succeed", parent = 200 }
  t:ok(nodes.new(list), "200 deep")
  list[202] = { kind = "succeed", parent = 1 }
  t:ok(nodes.new(list), "one more in the root")
  list[203] = { kind = "sequence", parent = 1 }
  for i = 204, 402 do list[i] = { kind = "sequence", parent = i - 1 } end
  t:ok(nodes.new(list), "200 deep twice")
  list[403] = { kind = "succeed", parent = 402 }
  local _, why, code = nodes.new(list)
  t:match(why, "more than 200 deep")
  t:equal(code, "limit")
end)
