--- Who may use a studio: pages that were opened with its token, at the addresses that it has.
---
--- The token stands in the fragment of the address that is printed, which no browser sends.  The page
--- exchanges it for a cookie that scripts cannot read and other sites do not cause to be sent.  Every request
--- must name the studio's own host (else a foreign name that resolves to this machine would do), and whatever
--- changes something its own origin; both are compared whole.
local access = {}
local Access = {}
Access.__index = Access

--- Wrong tokens that are answered in a second; pages at once.
access.most_tries, access.most_sessions = 5, 64

--- Digits of random bytes.
local function digits(random)
  return (random(16):gsub(".", function(byte) return ("%02x"):format(byte:byte()) end))
end

--- The rules of a studio at `address` and `port`. `random(count)` returns random bytes, `now()` s of a clock;
--- `hosts`: further names by which it is reached (of a proxy), as browsers write them, with their port unless
--- it is the usual one.
---@param options { address: string, port: integer, random: fun(count: integer): string, now: fun(): number,
---hosts: string[]? }
function access.new(options)
  local self = setmetatable({ token = digits(options.random), random = options.random, now = options.now,
    sessions = {}, count = 0, tries = 0, since = 0, hosts = {}, origins = {},
    cookie = "brio_studio_" .. options.port }, Access)
  local names = { options.address .. ":" .. options.port }
  if options.address == "127.0.0.1" then names[2] = "localhost:" .. options.port end
  for _, host in ipairs(options.hosts or {}) do names[#names + 1] = host end
  for _, name in ipairs(names) do
    self.hosts[name] = true
    self.origins["http://" .. name], self.origins["https://" .. name] = name, name
  end
  return self
end

--- Whether a request names one of the studio's hosts.
function Access:knows_host(request) return self.hosts[request.fields.host or ""] == true end

--- Whether a request comes from a page of the same host.
function Access:own_origin(request)
  return request.fields.origin ~= nil and self.origins[request.fields.origin] == request.fields.host
end

--- The session of a request, by its cookie; nil: none.
function Access:session(request)
  for name, value in (request.fields.cookie or ""):gmatch "([^=;%s]+)=([^;]*)" do
    if name == self.cookie and self.sessions[value] then return self.sessions[value] end
  end
end

--- Compare two texts in a time that does not depend on where they differ.
local function same(secret, given)
  local differs = #secret ~ #given
  for index = 1, #given do
    differs = differs | (given:byte(index) ~ (secret:byte((index - 1) % #secret + 1)))
  end
  return differs == 0
end

--- Make room for one more session.
local function forget_oldest(self)
  local oldest
  for secret, session in pairs(self.sessions) do
    if not oldest or session.made < self.sessions[oldest].made then oldest = secret end
  end
  self.sessions[oldest], self.count = nil, self.count - 1
end

--- Exchange a token for a session: the value of the header Set-Cookie; nil, status, sentence.
---@return string? cookie, integer? status, string? why
function Access:exchange(token)
  local now = self.now()
  if now - self.since > 1 then self.since, self.tries = now, 0 end
  if self.tries >= access.most_tries then return nil, 429, "too many wrong tokens: wait a second" end
  if type(token) ~= "string" or #token > 128 or not same(self.token, token) then
    self.tries = self.tries + 1
    return nil, 403, "this token is not the studio's: open the address that `brio studio` has printed"
  end
  if self.count >= access.most_sessions then forget_oldest(self) end
  local secret = digits(self.random)
  self.sessions[secret], self.count = { made = now }, self.count + 1
  return ("%s=%s; HttpOnly; SameSite=Strict; Path=/"):format(self.cookie, secret)
end

return access
