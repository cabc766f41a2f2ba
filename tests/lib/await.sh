# For shell snippets of tests: repeats a command until it succeeds.
#   . tests/lib/await.sh
#   await test -S "$folder/run.sock"
# Gives up after 240 s, says what was waited for, and ends the shell with code 97.
await() {
  await_from=$(date +%s)
  until "$@" 2>/dev/null; do
    if [ $(($(date +%s) - await_from)) -gt 240 ]; then
      echo "waited 240 s for: $*" >&2
      exit 97
    fi
    sleep 0.02
  done
}
