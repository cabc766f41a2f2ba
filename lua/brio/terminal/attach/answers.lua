--- Display of a run's answers, and special lines.
local query = require "brio.terminal.attach.query"
local uv = require "luv"

local answers = {}

--- What a reply says: done(text), or done(nil, why) with what was wrong.  A question of SQL is asked beside
--- the prompt: it is returned while it goes on (see query.lua).  `seconds`: how long one may take.
function answers.resolve(client, reply, seconds, done)
  if reply.sql then return query.start(client.place, reply, seconds, done) end
  if reply.error then done(nil, reply.error) else done(reply.text or "") end
end

--- Whether a line is the panic stop, in capitals too.  Nothing waits before it, and it never waits itself.
function answers.is_panic(text) return text:lower():match "^%s*panic[%s!.]*$" ~= nil end

--- Time after which a panic stop without an answer is reported, ms.
local patience = 500

--- Call late() if the panic stop has no answer for a while; return what to call with the answer.
function answers.watch_panic(late)
  local timer = uv.new_timer()
  timer:start(patience, 0, late)
  return function()
    if not timer:is_closing() then timer:close() end
  end
end

--- Shown when the panic stop has no answer.
answers.unconfirmed = "THE PANIC STOP IS NOT CONFIRMED: the engine does not answer; use the emergency \z
  stop of the robot"

--- Whether a line is sent at once, although lines before it have no answer yet.
function answers.is_urgent(text) return answers.is_panic(text) or text:match "^%s*stop%s*$" ~= nil end

--- Whether a line is about leaving the prompt.
function answers.leaves(text) return text:match "^%s*quit%s*$" or text:match "^%s*exit%s*$" end

return answers
