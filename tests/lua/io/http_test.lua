--- The HTTP client against a server that is good, slow, cut off, wrong, or never ends its answer.
local here = debug.getinfo(1, "S").source:match "^@(.*)/[^/]*$"
local stub = dofile(here .. "/../../lib/stub.lua")
local http = require "brio.io.http"
local link = require "brio.io.stream"
local uv = require "luv"

--- The result of a request to a server with such an answer.
local function ask(answer, options)
  local server, got = stub.new(type(answer) == "function" and answer or function() return answer end), nil
  local request = { url = server.url .. "/a?b=1", timeout = 240, name = "the server" }
  for key, value in next, options or {} do request[key] = value end
  local job = assert(http.request(request, function(result) got = result end))
  job:wait()
  server:close()
  return got or {}, server
end

test("a request and its answer", function(t)
  local got, server = ask(stub.answer(200, "hello"), { body = '{"x": 1}', headers = { ["X-Y"] = "z" } })
  t:equal({ got.status, got.body, got.error }, { 200, "hello" })
  local head = server.requests[1].head
  t:match(head, "^POST /a%?b=1 HTTP/1%.1\r\n")
  t:match(head, "\r\nHost: 127%.0%.0%.1:%d+\r\n")
  t:match(head, "\r\nX%-Y: z\r\n")
  t:match(head, "\r\nContent%-Length: 8\r\n")
  t:equal(server.requests[1].body, '{"x": 1}')
  got, server = ask(stub.answer(404, "no"))
  t:equal({ got.status, got.body }, { 404, "no" })
  t:match(server.requests[1].head, "^GET ")
end)

test("bodies come by length, in chunks, until the end, in pieces, or not at all", function(t)
  local function body(...) return ask({ ... }).body end
  t:equal(body(stub.chunks("ab", "c", ("d"):rep(40))), "abc" .. ("d"):rep(40))
  t:equal(body "HTTP/1.0 200 OK\r\n\r\nall of it", "all of it")
  t:equal(body "HTTP/1.1 204 None\r\n\r\n", "")
  t:equal(body "HTTP/1.1 200\nContent-Length: 2\n\nok", "ok")
  t:equal(body("HTTP/1.1 100 Continue\r\n\r\n", stub.answer(200, "then")), "then")
  local whole, pieces = stub.chunks("abc", ("x"):rep(300), "d"), { open = true }
  for index = 1, #whole do pieces[#pieces + 1] = whole:sub(index, index) end
  t:equal(ask(pieces).body, "abc" .. ("x"):rep(300) .. "d", "byte by byte, and the connection stays")
  t:equal(ask({ stub.answer(200, "kept") .. "more", open = true }).body, "kept")
  local many = {}
  for index = 1, 20000 do many[index] = "y" end
  t:equal(#body(stub.chunks(table.unpack(many, 1, 200)) ), 200)
end)

test("what is wrong is said, with its cause", function(t)
  for _, case in ipairs {
    { "hello, I am no server\r\n\r\n", "format", "does not speak HTTP: 'hello" },
    { "\0\1\2\3\4\5", "format", "does not speak HTTP" },
    { "HTTP/9 abc\r\n\r\n", "format", "does not speak HTTP" },
    { "", "unreachable", "broke off without an answer" },
    { "HTTP/1.1 200 OK\r\nContent-", "unreachable", "broke off without" },
    { "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc", "unreachable", "in the middle of its answer" },
    { "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab", "unreachable", "in the middle" },
    { "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\nab", "format", "chunks without a size" },
    { "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nabcd\r\n", "format",
      "chunks that do not end" },
    { "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nffffffff\r\n" .. ("z"):rep(2000), "limit",
      "more than 1000 bytes" },
    { "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\n\r\n", "format", "not known here: 'gzip'" },
    { "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n", "format", "no whole number" },
    { "HTTP/1.1 200 OK\r\nContent-Length: 1e3\r\n\r\n", "format", "no whole number" },
    { "HTTP/1.1 200 OK\r\nContent-Length: 1001\r\n\r\n", "limit", "1001 bytes, more than 1000" },
    { "HTTP/1.1 200 OK\r\n\r\n" .. ("z"):rep(2000), "limit", "more than 1000 bytes" },
    { "HTTP/1.1 200 OK\r\n" .. ("X: y\r\n"):rep(10000), "limit", "a head that does not end" },
  } do
    local got = ask(case[1], { most = 1000 })
    t:equal(got.code, case[2], case[1]:sub(1, 60))
    t:match(got.error or "", "^the server ")
    t:match(got.error or "", case[3])
  end
end)

test("answers with wrong bytes in them end in an answer or a sentence, once", function(t)
  local random = require("brio.random").stream(9, "http")
  local scale = tonumber(os.getenv "BRIO_TEST_SCALE") or 1
  local good = { stub.answer(200, '{"a": [1, 2, 3]}', "X-Y: z\r\n"),
    stub.chunks("abc", "defghij", ("k"):rep(40)),
    "HTTP/1.0 200 OK\r\n\r\nrest of it" }
  local counts = { answers = 0, sentences = 0 }
  for _ = 1, 150 * scale do
    local text = good[random:whole(#good)]
    for _ = 1, random:whole(4) do
      local at, how = random:whole(#text), random:whole(3)
      local byte = string.char(random:whole(256) - 1)
      text = text:sub(1, at - 1) .. (how > 1 and byte or "") .. text:sub(how == 3 and at or at + 1)
    end
    if random:whole(3) == 1 then text = text:sub(1, random:whole(#text)) end
    local split = random:whole(#text)
    local told = 0
    local server = stub.new(function() return { text:sub(1, split), text:sub(split + 1) } end)
    local job = http.request({ url = server.url, timeout = 240, most = 1000 }, function(got)
      told = told + 1
      local name = got.error and "sentences" or "answers"
      counts[name] = counts[name] + 1
      t:ok(got.error and #got.error > 5 or got.status and got.body)
    end)
    job:wait()
    server:close()
    t:equal(told, 1, text)
  end
  t:ok(counts.answers > 20 and counts.sentences > 20, "%d answers, %d sentences", counts.answers,
    counts.sentences)
end)

test("who is late is not waited for", function(t)
  local got = ask({ "HTTP/1.1 200 OK\r\n", 60000 }, { timeout = 0.1 })
  t:equal(got.code, "limit")
  t:match(got.error, "took more than 0.1 s")
  got = ask({ 100, stub.answer(200, "late") })
  t:equal(got.body, "late", "but who is within its time is")
end)

test("nobody there, and URLs that are none", function(t)
  local server = stub.new(function() end)
  server:close()
  local got
  http.request({ url = server.url }, function(result) got = result end):wait()
  t:equal(got.code, "unreachable")
  t:match(got.error, "nobody listens there")
  for _, url in ipairs { "ftp://x", "http://", "http://a b/", "https://x/", "http://u:p@x/",
      "http://x:99999/", "x", "http://x:y/",
    "http://[::1/", "http://x\r\nHost: y/" } do
    local job, why = http.request({ url = url }, function() end)
    t:equal(job, nil, url)
    t:ok(why and #why > 10)
  end
  t:equal(http.parse "http://[::1]:80/x", { host = "::1", port = 80, path = "/x", place = "[::1]:80" })
  t:equal(http.parse("http://box.local").port, 80)
end)

test("no tick waits while an answer is under way, and one that was canceled tells nothing", function(t)
  local held = {} -- answers that the server withholds: a tick that waited for one would never end
  local server = stub.new(function()
    return { function(go_on) held[#held + 1] = go_on end, stub.answer(200, "slow") }
  end)
  local got, canceled = nil, false
  http.request({ url = server.url, timeout = 240 }, function(result) got = result end)
  local other = http.request({ url = server.url, timeout = 240 }, function() canceled = true end)
  local function work_until(what)
    for _ = 1, 48000 do
      if what() then return true end
      http.work()
      uv.sleep(5)
    end
  end
  t:ok(work_until(function() return #held == 2 end), "%d of 2 requests came", #held)
  for _ = 1, 20 do http.work() end
  t:equal({ got, canceled }, { nil, false })
  other:cancel()
  for _, go_on in ipairs(held) do go_on() end
  t:ok(work_until(function() return got end), "no answer came")
  t:equal(got and got.body, "slow")
  for _ = 1, 50 do http.work() uv.sleep(1) end -- time for an event that must not come
  t:equal(canceled, false)
  server:close()
end)

test("streams: words there and back, a Unix socket, and the other side's end", function(t)
  local path, listener, heard = t:temporary ".sock", uv.new_pipe(false), {}
  assert(listener:bind(path))
  listener:listen(4, function()
    local client = uv.new_pipe(false)
    listener:accept(client)
    client:read_start(function(_, bytes)
      if bytes then client:write(bytes:upper(), function() client:close() end) end
    end)
  end)
  local over = false
  local wire
  wire = link.open({ path = path }, {}, function(what, data)
    heard[#heard + 1] = what .. (data and " " .. data or "")
    if what == "open" then wire:send "hello" end
    over = what == "end"
  end)
  t:equal(wire:send "too early", false)
  t:ok(link.wait(20, function() return over end))
  t:equal(heard, { "open", "bytes HELLO", "end" })
  listener:close()
  uv.run "nowait"
  t:equal(link.address "unix:/a", { path = "/a" })
  t:equal(link.address "tcp://a:1", { host = "a", port = 1 })
  for _, wrong in ipairs { "a:1", "tcp://a", "tcp://a:0", "tcp://a:70000", "unix:", "unix:" .. ("x"):rep(108),
      "" } do
    t:equal(link.address(wrong), nil, wrong)
  end
end)
