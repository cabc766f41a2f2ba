--- Who may use a studio: tokens, cookies, hosts and origins.
local access = require "brio.studio.access"
local feed = require "brio.studio.feed"

local function made(hosts)
  local count, now = 0, { 0 }
  local self = access.new { address = "127.0.0.1", port = 7450, hosts = hosts,
    now = function() return now[1] end,
    random = function(size)
      count = count + 1
      return string.char(count):rep(size)
    end }
  return self, now
end

local function from(fields) return { fields = fields } end

test("hosts and origins are compared whole", function(t)
  local self = made { "studio.lab:443" }
  for host, known in pairs { ["127.0.0.1:7450"] = true, ["localhost:7450"] = true, ["studio.lab:443"] = true,
    ["127.0.0.1"] = false, ["127.0.0.1:7451"] = false, ["127.0.0.1:7450.evil.example"] = false,
    ["127.evil.example:7450"] = false, ["evil.example"] = false, [""] = false } do
    t:equal(self:knows_host(from { host = host }), known, host)
  end
  t:equal(self:knows_host(from {}), false)
  local host = "127.0.0.1:7450"
  for origin, own in pairs { ["http://127.0.0.1:7450"] = true, ["http://localhost:7450"] = false,
    null = false,
    ["http://evil.example"] = false, ["http://127.0.0.1:7450.evil.example"] = false,
      ["http://127.0.0.1"] = false } do
    t:equal(self:own_origin(from { host = host, origin = origin }), own, origin)
  end
  t:equal(self:own_origin(from { host = host }), false)
end)

test("the token is exchanged for a cookie of its own; wrong ones are counted", function(t)
  local self, now = made()
  local cookie = self:exchange(self.token)
  t:match(cookie, "^brio_studio_7450=%x+; HttpOnly; SameSite=Strict; Path=/$")
  t:equal(cookie:find(self.token, 1, true), nil)
  local pair = cookie:match "^[^;]*"
  t:equal(self:session(from { cookie = "x=y; " .. pair }) ~= nil, true)
  for _, wrong in ipairs { "x=y", pair .. "0", "brio_studio_7451=" .. pair:match "=(.*)", pair:sub(1, -2),
    "" } do
    t:equal(self:session(from { cookie = wrong }), nil, wrong)
  end
  for _, wrong in ipairs { "", self.token:sub(1, -2), self.token .. "0", ("x"):rep(500) } do
    t:equal({ (select(2, self:exchange(wrong))) }, { 403 })
  end
  t:equal((select(2, self:exchange(nil))), 403)
  t:equal((select(2, self:exchange(self.token))), 429, "the sixth within a second")
  now[1] = 2
  t:equal(type(self:exchange(self.token)), "string")
  for _ = 1, 200 do self:exchange(self.token) end
  t:equal(self.count, access.most_sessions, "sessions are limited, the oldest goes")
  t:equal(self:session(from { cookie = pair }), nil)
end)

test("a frame has at most 300 bytes for 60 axes, and is read back", function(t)
  local values = {}
  for k = 1, 60 do values[k] = k / 64 end
  local frame = feed.frame(2, 2 ^ 32 + 5, 12.25, values)
  t:equal(#frame <= 300, true)
  t:equal({ feed.read(frame) }, { 2, 5, 12.25, values })
  t:equal({ feed.read(frame:sub(1, -2)), feed.read "", (feed.read("\9" .. frame:sub(2))) }, {})
end)
