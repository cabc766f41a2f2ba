--- Requests of HTTP as the studio reads them: what browsers send, in any pieces, and what it refuses.
local random = require "brio.random"
local request = require "brio.studio.request"

--- A random whole number from `lower` to `upper`.
local function whole(stream, lower, upper) return lower + stream:whole(upper - lower + 1) - 1 end

--- The requests in a text that comes in pieces of that size; or the status and sentence of the refusal.
local function read(text, size)
  local reader, list = request.reader(), {}
  for at = 1, #text, size or #text do
    reader:add(text:sub(at, at + (size or #text) - 1))
    while true do
      local one, status, why = reader:next()
      if status then return nil, status, why end
      if not one then break end
      list[#list + 1] = one
    end
  end
  return list, nil, nil, reader
end

local browser = "GET /api/frames?run=3&from=0.5&x=a+b%20c HTTP/1.1\r\nHost: 127.0.0.1:7450\r\n\z
  Cookie: a=b\r\nAccept: */*\r\nAccept: text/html\r\n\r\n"

test("requests come whole, in pieces, and one behind the other", function(t)
  local post = 'POST /login HTTP/1.1\r\nhost:x\r\nContent-Length: 13\r\n\z
    Connection: close\r\n\r\n{"token":"a"}'
  for _, size in ipairs { 1, 7, 1000 } do
    local list = read(browser .. post .. browser, size)
    t:equal(#list, 3)
    t:equal({ list[1].method, list[1].path, list[1].query.run, list[1].query.x, list[1].body },
      { "GET", "/api/frames", "3", "a b c", "" })
    t:equal({ list[1].fields.host, list[1].fields.accept, list[1].keeps },
      { "127.0.0.1:7450", "*/*, text/html", true })
    t:equal({ list[2].method, list[2].body, list[2].fields.host, list[2].keeps },
      { "POST", '{"token":"a"}', "x", false })
  end
  local _, _, _, reader = read("GET / HTTP/1.1\r\nHost: x\r\n\r\nrest")
  t:equal(reader:rest(), "rest")
end)

test("what two programs could read differently is refused", function(t)
  local head = "GET / HTTP/1.1\r\nHost: x\r\n"
  for _, case in ipairs {
    { "GET / HTTP/1.1\nHost: x\n\n\r\n\r\n", 400 }, { "GET http://x/ HTTP/1.1\r\n\r\n", 400 },
    { "GET /a b HTTP/1.1\r\n\r\n", 400 }, { "get / HTTP/1.1\r\n\r\n", 400 }, { "GET / HTTP/2.0\r\n\r\n",
      400 },
    { "GET /../etc HTTP/1.1\r\n\r\n", 400 }, { "GET /a/%2e%2e/b HTTP/1.1\r\n\r\n", 400 },
    { "GET /%00 HTTP/1.1\r\n\r\n", 400 }, { "GET /%zz HTTP/1.1\r\n\r\n", 400 },
    { "GET /a\\b HTTP/1.1\r\n\r\n", 400 }, { "GET //x HTTP/1.1\r\n\r\n", 400 },
    { "GET /%ff HTTP/1.1\r\n\r\n", 400 }, { "GET /?a=1&a=2 HTTP/1.1\r\n\r\n", 400 },
    { head .. "Host: y\r\n\r\n", 400 }, { head .. "Folded: a\r\n b\r\n\r\n", 400 },
    { head .. "Name : x\r\n\r\n", 400 }, { head .. "A: \1\r\n\r\n", 400 }, { head .. "A: b\rc: d\r\n\r\n",
      400 },
    { head .. "Content-Length: 1\r\nContent-Length: 2\r\n\r\n", 400 },
    { head .. "Content-Length: -1\r\n\r\n", 400 }, { head .. "Content-Length: 1e3\r\n\r\n", 400 },
    { head .. "Content-Length: 9999999\r\n\r\n", 413 }, { head .. "Transfer-Encoding: chunked\r\n\r\n", 501 },
    { head .. ("X: y\r\n"):rep(100) .. "\r\n", 400 }, { head .. "X: " .. ("y"):rep(20000), 431 },
  } do
    local list, status = read(case[1])
    t:equal({ list, status }, { nil, case[2] }, case[1]:sub(1, 60))
  end
end)

test("random bytes and broken requests never fail, and never come through as something else", function(t)
  local stream = random.stream(7, "http")
  local samples = { browser, "POST /x HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\nabc" }
  for _ = 1, 1500 * math.max(1, tonumber(os.getenv "BRIO_TEST_SCALE" or "1")) do
    local text = samples[whole(stream, 1, #samples)]
    for _ = 1, whole(stream, 1, 4) do
      local at = whole(stream, 1, #text)
      text = text:sub(1, at - 1) .. string.char(whole(stream, 0, 255)):rep(whole(stream, 0, 3))
        .. text:sub(at + 1)
    end
    local list, status, why = read(text, whole(stream, 1, 60))
    if status then
      t:equal({ list, type(why), status >= 400 and status <= 501 }, { nil, "string", true })
    else
      for _, one in ipairs(list) do
        t:equal(one.path:sub(1, 1) == "/" and not one.path:find "%.%./" and not one.path:find "%c", true,
          text)
      end
    end
  end
end)
