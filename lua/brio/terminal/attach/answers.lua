--- Display of a run's answers, and special lines.
local query = require "brio.terminal.attach.query"
local uv = require "luv"

local answers = {}

--- The text of a reply: done(text), or done(nil, why).  An SQL query runs beside the prompt: it is returned
--- while it is running (see query.lua).  `seconds`: its time limit.
function answers.resolve(client, reply, seconds, done)
  if reply.sql then return query.start(client.place, reply, seconds, done) end
  if reply.error then done(nil, reply.error) else done(reply.text or "") end
end

--- Whether a line is the panic stop, in any case.  It is never delayed by other lines.
function answers.is_panic(text) return text:lower():match "^%s*panic[%s!.]*$" ~= nil end

--- Time after which a panic stop without an answer is reported, ms.
local patience = 500

--- Call late() if the panic stop has no answer for a while; return a function to call with the answer.
function answers.watch_panic(late)
  local timer = uv.new_timer()
  timer:start(patience, 0, late)
  return function()
    if not timer:is_closing() then timer:close() end
  end
end

--- The message if the panic stop has no answer.
answers.unconfirmed = "THE PANIC STOP IS NOT CONFIRMED: the engine does not answer; use the emergency \z
  stop of the robot"

--- Whether a line is sent at once, even if lines before it have no answer yet.
function answers.is_urgent(text) return answers.is_panic(text) or text:match "^%s*stop%s*$" ~= nil end

--- Whether a line leaves the prompt.
function answers.leaves(text) return text:match "^%s*quit%s*$" or text:match "^%s*exit%s*$" end

return answers
