--- Runs with a studio and a browser beside them, for tests that use the page as a person does.
local browser = require "browser"
local cjson = require "cjson"
local harness = require "harness"

local files = harness.files
local pages = { pictures = harness.build .. "/studio-pictures" }
local brio = files.quote(harness.program)

--- The browser of all tests; nil, why: there is none, or the page's libraries are not bundled.
local chromium, why_not

--- The browser; skips the test where there is none.
function pages.browser(t)
  -- A browser costs more than all other tests of the studio.
  if harness.scale == 1 and not arg[1] and not os.getenv "BRIO_BROWSER" then
    t:skip "takes a browser: make soak, BRIO_BROWSER=1, or a part of the test's name"
  end
  if not files.exists(harness.build .. "/studio/ui.js") then
    why_not = "the page's libraries are not there: make studio"
  end
  if not why_not and not chromium then chromium, why_not = browser.start() end
  if why_not then t:skip(why_not) end
  chromium:close_pages()
  return chromium
end

--- A run of a file in a folder and a studio beside it: {process, socket, store, studio, url, folder, begin}.
--- `options`: further words of `brio run`.
function pages.start(folder, name, options)
  local run = { folder = folder, socket = folder .. "/x.sock", store = folder .. "/x.db" }
  function run.begin()
    run.process = harness.start(("%s run %s/%s --store %s --socket %s --quiet --rate 100 --motor-rate 200 %s")
      :format(brio, folder, name, run.store, run.socket, options or ""))
    harness.listening(run)
  end
  run.begin()
  run.studio = harness.start(("env XDG_STATE_HOME=%s/state %s studio %s --port 0 --no-browser")
    :format(folder, brio, run.socket))
  run.url = harness.await_output(run.studio, "~http://127.0.0.1:%d+/#%x+"):match "http%S+"
  return run
end

--- What is true once the page shows the robot.
pages.ready = "window.studio && studio.state.connected.value && studio.player.counts.frames > 3 \z
  && studio.view.drawn > 0"

--- The page of a run, once it shows the robot and may send lines.
function pages.open(run, width, height, mobile)
  local page = chromium:page(width or 900, height or 640, mobile)
  page:open(run.url)
  page:wait(pages.ready)
  page:wait "studio.state.me.value"
  return page
end

--- Save a picture of the page for people.
function pages.picture(page, name) page:shot(("%s/%s.png"):format(pages.pictures, name)) end

--- Check that the console is free of errors; drivers of graphics may complain.
function pages.quiet(t, page)
  for _, line in ipairs(page.console) do
    t:check(line:find("GPU stall", 1, true), "the console says: %s", line)
  end
end

--- Write a text into a field, in place of what is there, and leave the field.
function pages.fill(page, selector, text)
  page:eval(("(() => { const one = document.querySelector(%s); one.scrollIntoView({ block: 'nearest' }); \z
    one.focus(); one.select(); })()"):format(cjson.encode(selector)))
  page:type(text)
  page:eval(("document.querySelector(%s)?.blur()"):format(cjson.encode(selector)))
end

--- Choose an option of a list by its text or value.
function pages.choose(page, selector, words)
  local good = page:eval(([[(() => {
    const one = document.querySelector(%s);
    const found = [...one.options].find((each) => each.value === %s)
      || [...one.options].find((each) => each.textContent.trim().startsWith(%s));
    if (!found) return false;
    one.value = found.value;
    one.dispatchEvent(new Event("change", { bubbles: true }));
    return true;
  })()]]):format(cjson.encode(selector), cjson.encode(words), cjson.encode(words)))
  if not good then error(("%s has no option %s"):format(selector, words), 2) end
end

--- Kill the browser.
function pages.kill()
  chromium:kill()
  chromium = nil
end

function pages.close()
  if chromium then chromium:close() end
end

return pages
