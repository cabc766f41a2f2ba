--- Generates the manual page and the shell completion of `brio` from the tables of its commands and of the
--- prompt's words.
---
---     build/brio lua scripts/docs_man.lua [--check]
---
--- --check: fail if the files are out of date.
package.path = "scripts/make/?.lua;" .. package.path
local known = require("brio.commands").list
local generated = require "generated"
local words = require "brio.prompt.words"

local commands = {}
for index, name in ipairs(known) do commands[index] = require("brio.commands." .. name) end

-- The manual page -------------------------------------------------------------------------------------------

--- A text for roff, with control characters escaped.
local function roff(text)
  text = text:gsub("\\", "\\e"):gsub("%-", "\\-"):gsub("'", "\\(aq"):gsub("`", "\\(ga"):gsub("%^",
    "\\(ha"):gsub("~", "\\(ti")
  return (text:gsub("\n%.", "\n\\&."):gsub("^%.", "\\&."))
end

local function manual()
  local out = {}
  local function add(...) out[#out + 1] = string.format(...) end
  add('.\\" Made by scripts/docs_man.lua of the tables of commands and words.')
  add('.TH BRIO 1 "" "brio %s" "User Commands"', roff(require "brio.version"))
  add ".SH NAME\nbrio \\- write what a robot does, change it while it moves, ask afterwards what happened"
  add ".SH SYNOPSIS\n.B brio\n.I COMMAND\n[\\fIoptions\\fR] ...\n.br\n.B brio help\n[\\fICOMMAND\\fR]"
  add ".SH DESCRIPTION\nBehaviors are Lua scripts. The engine runs them on a robot or its simulator at 200 \z
    ticks a second,"
  add "takes over changed files while the robot moves, lets people steer it from prompts, and records all \z
    of it"
  add "in an SQLite store."
  add ".SH COMMANDS"
  for _, command in ipairs(commands) do
    add(".SS %s", roff(command.name))
    add("%s.\n.PP\n.nf\n%s\n.fi", roff(command.summary), roff(command.usage))
    for _, option in ipairs(command.options) do
      add(".TP\n\\fB\\-\\-%s\\fR%s\n%s", roff(option[1]), option[2] and " \\fI" .. roff(option[2]) .. "\\fR"
        or "", roff(option[3]))
    end
  end
  add ".SH AT THE PROMPT\nA line at a prompt (\\fBbrio attach\\fR, \\fBbrio run \\-\\-repl\\fR) is one of \z
    these words, or Lua."
  for _, word in ipairs(words.list) do
    add(".TP\n\\fB%s\\fR\n%s. For example: %s", roff(word.usage), roff(word.summary), roff(word.example))
  end
  add ".SH EXIT STATUS"
  add ".TP\n0\nall well"
  add ".TP\n1\na file, a device or a store failed\n.TP\n2\nwrong use\n.TP\n3\na check, a test or a behavior \z
    failed"
  add ".SH ENVIRONMENT"
  add ".TP\nNO_COLOR\nno colors, where it is set and not empty"
  add ".TP\nTERM\nwith \\fBdumb\\fR, the prompt has no panel and no keys"
  add ".TP\nLC_ALL, LC_CTYPE, LANG\nwhether signs beyond ASCII are shown"
  add ".TP\nXDG_RUNTIME_DIR\nwhere sockets of runs are, else /tmp/brio\\-UID"
  add ".SH FILES\n.TP\nbrio.db\nthe store of the folder that brio runs in, unless \\fB\\-\\-store\\fR says \z
    otherwise"
  add ".TP\n~/.brio_history\nlines of before, at the prompt"
  add ".SH SEE ALSO\nThe pages in docs/, which come with brio; sqlite3(1)"
  return table.concat(out, "\n") .. "\n"
end

-- Completion ------------------------------------------------------------------------------------------------

local function option_words(command)
  local list = { "--help" }
  for _, option in ipairs(command.options) do list[#list + 1] = "--" .. option[1] end
  return table.concat(list, " ")
end

--- Options whose value is a file, or one of some words.
local function values_of(option)
  if not option[2] then return nil end
  if option[2]:match "^[%l|]+$" and option[2]:find("|", 1, true) then return option[2]:gsub("|", " ") end
  return "file"
end

local function bash()
  local out = {
    "# Completion of brio for bash: made by scripts/docs_man.lua of the tables of commands.",
    "# Put it into /usr/share/bash-completion/completions/brio, or source it.",
    "_brio() {",
    "  local current=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} command=${COMP_WORDS[1]} \z
      list=",
    "  COMPREPLY=()",
    "  if [ \"$COMP_CWORD\" -eq 1 ] || { [ \"$command\" = help ] && [ \"$COMP_CWORD\" -eq 2 ]; }; then",
    ("    COMPREPLY=($(compgen -W 'help %s --version --help' -- \"$current\"))"):format(
      table.concat(known, " ")),
    "    return",
    "  fi",
    "  case \"$command $before\" in",
  }
  for _, command in ipairs(commands) do
    for _, option in ipairs(command.options) do
      local values = values_of(option)
      if values and values ~= "file" then
        local row = "    '%s --%s') COMPREPLY=($(compgen -W '%s' -- \"$current\")); return ;;"
        out[#out + 1] = row:format(command.name, option[1], values)
      end
    end
  end
  out[#out + 1] = "  esac\n  case $command in"
  for _, command in ipairs(commands) do
    out[#out + 1] = ("    %s) list='%s' ;;"):format(command.name, option_words(command))
  end
  out[#out + 1] = "  esac\n  case $current in\n    -*) COMPREPLY=($(compgen -W \"$list\" -- \"$current\")) ;;"
  out[#out + 1] = "    *) COMPREPLY=($(compgen -f -- \"$current\")) ;;\n  esac\n}\ncomplete -o filenames -F \z
    _brio brio"
  return table.concat(out, "\n") .. "\n"
end

--- A text in quotes for zsh's _arguments and _describe.
local function zsh_text(text) return (text:gsub("'", "'\\''"):gsub("[%[%]:]", "\\%0")) end

local function zsh()
  local out = { "#compdef brio", "# Completion of brio for zsh: made by scripts/docs_man.lua of the tables \z
    of commands.", "# Put it into a folder of $fpath.", "_brio() {", "  local -a commands", "  commands=(" }
  for _, command in ipairs(commands) do
    out[#out + 1] = ("    '%s:%s'"):format(command.name, zsh_text(command.summary))
  end
  out[#out + 1] = "  )\n  if (( CURRENT == 2 )); then\n    _describe 'command' \z
    commands\n    return\n  fi\n  case $words[2] in"
  for _, command in ipairs(commands) do
    out[#out + 1] = ("    %s) _arguments \\"):format(command.name)
    for _, option in ipairs(command.options) do
      local values = values_of(option)
      local value = not values and "" or values == "file" and (":%s:_files"):format(zsh_text(option[2]))
        or (":%s:(%s)"):format(zsh_text(option[2]), values)
      out[#out + 1] = ("      '%s--%s[%s]%s' \\"):format(option.many and "*" or "", option[1],
        zsh_text(option[3]), value)
    end
    out[#out + 1] = "      '*:file:_files' ;;"
  end
  out[#out + 1] = "  esac\n}\n_brio \"$@\""
  return table.concat(out, "\n") .. "\n"
end

-- -----------------------------------------------------------------------------------------------------------

local writer = generated.writer("build/brio lua scripts/docs_man.lua", arg[1] == "--check")
writer:write("docs/brio.1", manual())
writer:write("docs/completion/brio.bash", bash())
writer:write("docs/completion/_brio", zsh())
writer:finish()
