--- What a character is made of, in the order in which it works in a tick: one row a faculty, each a file
--- beside this.
---
--- A file returns a record:
---
---   name             of the field in a behavior's `character`, of self.<name> and of host.<name>
---   about            a line for people
---   fields           what `character.<name>` may hold: a record of lib/schema.lua
---   always           it is there whatever a behavior says
---   fault(spec, description, sequences)   a sentence on what is wrong with it on that robot, or nil;
---                                         sequences: the
---                    behavior's own, by name
---   new(host, spec)  makes the faculty
---   words            rows of the prompt's words (see operator/prompt/words.lua) that belong to it
---
--- and a faculty is an object with
---
---   face             what behaviors have as self.<name>
---   :use(spec)       the behavior has changed: other settings from now on, its state stays
---   :work(now, dt)   its part of a tick, behind the behavior's functions
---   :hear(event)     may be there: an event was told, {name, data, source, ...}; what it does about it comes
---                    in `work`
---   :pause(on)       the robot is on hold, or goes on
---   :close()         may be there: the run has ended; let go of what is outside of it
---   :stop()          the behavior failed, or has it no more: let go of everything, softly
---
--- One that is not always there is loaded where a behavior has it.
---
--- A faculty moves the robot by sources (host.tracks:live) and by objectives of its own alone.
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
