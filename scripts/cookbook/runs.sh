# The runs that docs/analysis/cookbook.md asks about: examples on the simulator, in fast time.
# scripts/docs_cookbook.lua runs this in a folder of its own, where `brio` is the program, and behaviors/,
# drivers/ and cookbook/ are the project's.
set -e
run() { brio run "$@" --clock fast --quiet --log silent || true; }

# a kiosk as it is, with a fault that somebody put in, and mended
mkdir kiosk
cp behaviors/kiosk.lua behaviors/kiosk_world.lua kiosk
run kiosk/kiosk.lua --for 17 --rate 50 --seed 1
run kiosk/kiosk.lua --for 17 --rate 50 --seed 2
sed 's/eyes(self, 1)/eyes(self.memory.nobody, 1)/' behaviors/kiosk.lua > kiosk/kiosk.lua
run kiosk/kiosk.lua --for 17 --rate 50 --seed 3
sed 's/after = { 3.0, "think" }/after = { 2.0, "think" }/' behaviors/kiosk.lua > kiosk/kiosk.lua
run kiosk/kiosk.lua --for 17 --rate 50 --seed 4

# a door that sticks, balls to sort, a face with feelings
run behaviors/door.lua --for 18 --rate 50 --seed 1
run behaviors/door.lua --for 18 --rate 50 --seed 2
run behaviors/sort_balls.lua --for 12 --rate 50
run behaviors/visitor.lua --for 20 --rate 50

# a study: two participants, two sessions each, a wizard who is read from a file
cp cookbook/*.lua .
brio study assign nod_study.lua
for who in P01 P02; do
  brio study consent nod_study.lua $who
  for number in 1 2; do
    run --study nod_study.lua --participant $who --wizard W1 --for 15 --rate 50 \
      --operator cookbook/$who-$number.txt
    brio study end nod_study.lua $who
  done
done
brio ask godspeed --groups III --answers cookbook/answers.csv
