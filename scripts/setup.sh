#!/bin/sh
# Installs the Debian packages that a list names, when one is missing.
#   setup.sh [--optional] LIST...
# Asks no network when nothing is missing.  --optional: say what is missing and go on
# when it cannot be installed.
set -eu

optional=false
[ "${1:-}" = --optional ] && { optional=true; shift; }

wanted=$(sed -e 's/#.*//' "$@" | tr -s ' \n' ' ')

give_up() {
  echo "brio: $1" >&2
  $optional && exit 0
  exit 1
}

if ! command -v dpkg-query >/dev/null 2>&1; then
  # Not Debian: cannot install, but may have all of it under other names.
  if command -v cc >/dev/null && command -v pkg-config >/dev/null && command -v lua5.4 >/dev/null; then
    exit 0
  fi
  give_up "this is not a Debian system. Install a C compiler, make, pkg-config and what these Debian \
packages hold, then run make again: $wanted"
fi

missing=""
for package in $wanted; do
  status=$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null || true)
  [ "$status" = installed ] || missing="$missing $package"
done
[ -z "$missing" ] && exit 0

as_root=""
if [ "$(id -u)" != 0 ]; then
  command -v sudo >/dev/null 2>&1 || \
    give_up "these Debian packages are missing, and neither root nor sudo is there to install them:$missing"
  as_root="sudo"
fi
echo "brio: installing$missing" >&2
export DEBIAN_FRONTEND=noninteractive
install_them() { $as_root apt-get install -y -q --no-install-recommends $missing >&2; }
{ $as_root apt-get update -q >&2 && install_them; } || give_up "apt-get could not install:$missing"
