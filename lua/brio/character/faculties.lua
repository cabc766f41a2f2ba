--- The faculties of a character, in the order in which they work in a tick: each is a file beside this one.
---
--- A file returns a record:
---
---   name             of the field in a behavior's `character`, of self.<name> and of host.<name>
---   about            a line for people
---   fields           the fields of `character.<name>`: a record of lib/schema.lua
---   always           it exists in every run, whatever the behavior has
---   fault(spec, description, sequences)   a sentence on the error of its settings on that robot, or nil;
---                    sequences: the behavior's own, by name
---   new(host, spec)  creates the faculty
---   words            rows of its words at the prompt (see operator/prompt/words.lua)
---
--- and a faculty is an object with
---
---   face             the value of self.<name> in behaviors
---   :use(spec)       the behavior has changed: apply new settings, keep the state
---   :work(now, dt)   its work of a tick, after the behavior's functions
---   :hear(event)     optional: an event, {name, data, source, ...}; effects are applied in `work`
---   :pause(on)       the robot is on hold, or continues
---   :close()         optional: the run has ended; release everything outside of it
---   :stop()          the behavior failed, or no longer has the faculty: release everything, smoothly
---
--- A faculty that is not `always` there is loaded when a behavior has it.
---
--- A faculty moves the robot only by sources (host.tracks:live) and by its own objectives.
local lazy = require "brio.lib.lazy"

return {
  (require "brio.character.control"), -- in brackets: require returns two values
  (require "brio.character.stance"),
  lazy("brio.character.map", { name = "map", always = false }),
  lazy("brio.character.emotion", { name = "emotion", always = false }),
  lazy("brio.character.gaze", { name = "gaze", always = false }),
  (require "brio.character.speech"),
  lazy("brio.character.idle", { name = "idle", always = false }),
}
