# Completion of brio for bash: made by scripts/docs_man.lua of the tables of commands.
# Put it into /usr/share/bash-completion/completions/brio, or source it.
_brio() {
  local current=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} command=${COMP_WORDS[1]} list=
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ] || { [ "$command" = help ] && [ "$COMP_CWORD" -eq 2 ]; }; then
    COMPREPLY=($(compgen -W 'help run preflight attach monitor studio check new edit test profile robot ik move calibrate camera history at search compare bisect diff rollback sql ask study drivers scan servo setup emulate decode import export annotate play perform keep liven feasible motions quality plot face tree repeat batch replay timeline preview steps scene schema backup merge prune sync fleet lua --version --help' -- "$current"))
    return
  fi
  case "$command $before" in
    'run --clock') COMPREPLY=($(compgen -W 'real fast' -- "$current")); return ;;
    'run --physics') COMPREPLY=($(compgen -W 'none mujoco' -- "$current")); return ;;
    'run --watch') COMPREPLY=($(compgen -W 'events poll' -- "$current")); return ;;
    'preflight --clock') COMPREPLY=($(compgen -W 'real fast' -- "$current")); return ;;
    'profile --clock') COMPREPLY=($(compgen -W 'fast real' -- "$current")); return ;;
    'move --clock') COMPREPLY=($(compgen -W 'real fast' -- "$current")); return ;;
    'ask --order') COMPREPLY=($(compgen -W 'given random' -- "$current")); return ;;
    'study --outcome') COMPREPLY=($(compgen -W 'finished aborted' -- "$current")); return ;;
    'play --clock') COMPREPLY=($(compgen -W 'real fast' -- "$current")); return ;;
    'replay --clock') COMPREPLY=($(compgen -W 'real fast' -- "$current")); return ;;
  esac
  case $command in
    run) list='--help --robot --driver --for --store --durable --store-limit --keep-clouds --resume --snapshots --seed --clock --world --physics --rate --motor-rate --noise --packages --load --set --drive --trace --session --rehearse --operator --arm --fault --speak-with --play-with --model --allow-programs --gamepad --gamepad-device --tracker --detections --camera --clouds --studio --repl --socket --socket-group --operators --reload --no-reload --watch --tune --study --participant --condition --wizard --training --log --json --quiet' ;;
    preflight) list='--help --for --arm --json --robot --driver --store --clock --world --rate --motor-rate --packages --load --set --drive --session --fault --speak-with --play-with --gamepad --gamepad-device --detections --camera --clouds' ;;
    attach) list='--help --as --token --role --program --wait --bridge --timeout --list' ;;
    monitor) list='--help --rate --once --color --ascii --as --token' ;;
    studio) list='--help --port --address --host --as --token --store --no-browser' ;;
    check) list='--help --robot --packages --drive --load --json --text' ;;
    new) list='--help --robot --template' ;;
    edit) list='--help --json --at --over --with --leads --hash --as --dry-run' ;;
    test) list='--help --only --load --coverage --tap' ;;
    profile) list='--help --robot --for --clock --seed --world --store --json --load' ;;
    robot) list='--help --list --svg --png --pose --view --names --packages --init --json' ;;
    ik) list='--help --link --position --orientation --rpy --axis --tolerance --from --solutions --clear --seed --packages --json' ;;
    move) list='--help --robot --driver --drive --set --speed --step --by --arm --relax --trace --clock --packages --ascii' ;;
    calibrate) list='--help --driver --set --trace --only --write --packages --columns --rows --size --spacing --family --radial' ;;
    camera) list='--help --set --calibration --json --columns --rows --size --spacing --family' ;;
    history) list='--help --store --run --of --json' ;;
    at) list='--help --store --json' ;;
    search) list='--help --store --kind --runs --most --json' ;;
    compare) list='--help --store --success --dof --all-motion --no-motion --json' ;;
    bisect) list='--help --criterion --test --of --store --git --version --good --bad --for --times --least --seed --robot --world --record --json --load' ;;
    diff) list='--help --store' ;;
    rollback) list='--help --store' ;;
    sql) list='--help --store --on --json --csv --rows --timeout' ;;
    ask) list='--help --participant --condition --run --language --groups --variant --order --seed --again --answers --plain --store --score --by --items --level --json --export --about --forget --ascii' ;;
    study) list='--help --store --why --coder --instead-of --fact --condition --wizard --rehearse --training --outcome --note --language --plain --out --as --without-facts --yes --json' ;;
    drivers) list='--help --json' ;;
    scan) list='--help --family --baud --last --latency --trace --write' ;;
    servo) list='--help --family --baud --json' ;;
    setup) list='--help --baud' ;;
    emulate) list='--help --servos --nodes --id --baud --seed --link --write --say --control --trace --bus --protocol --for' ;;
    decode) list='--help --from --to --bus --hex --raw --summary' ;;
    import) list='--help --robot --clip --format --map --fps --unit --tolerance --lead --follow --skeleton --from --to --dof --fit --arm --out' ;;
    export) list='--help --robot --clip --format --map --fps --unit --tolerance --lead --follow --skeleton --as --store --out --from --to --dof --table --rate --media --offset' ;;
    annotate) list='--help --coder --tier --offset --store' ;;
    play) list='--help --robot --clip --format --map --fps --unit --tolerance --lead --follow --skeleton --from --to --dof --fit --times --speed --amplitude --mirror --store --clock --driver --set --drive --trace --arm --json' ;;
    perform) list='--help --robot --clip --format --map --fps --unit --tolerance --lead --follow --skeleton --udp --run --as --token --speed' ;;
    keep) list='--help --out --store --dof --of --from --to --last --tolerance --lead' ;;
    liven) list='--help --dof --store --of --from --to --into --state' ;;
    feasible) list='--help --robot --rig --out --clip --format --from --to --tempo --size --stretch --seconds --window --backend --id --emotion --dry --check --restart' ;;
    motions) list='--help --robot --mode --emotion --all --json' ;;
    quality) list='--help --robot --clip --format --map --fps --unit --tolerance --lead --follow --skeleton --store --dof --of --from --to --lag --set --point --cut --by-size --features --json' ;;
    plot) list='--help --robot --clip --format --map --fps --unit --tolerance --lead --follow --skeleton --out --store --dof --panel --of --from --to --together' ;;
    face) list='--help --out --expressions --curve --view --packages' ;;
    tree) list='--help --with --resave --live --in --rate --once --color --ascii --as --token --load' ;;
    repeat) list='--help --times --until-failure --vary --leaf --tree --seed --for --jobs --share --only --robot --store --json --load' ;;
    batch) list='--help --times --until-failure --vary --leaf --tree --seed --for --on --jobs --each --until-width --space --points --folder --engine-option --cancel --robot --store --json --load' ;;
    replay) list='--help --store --for --with --record --json --log --to-robot --preview --slow --rest --relax --speed --robot --from --to --dof --driver --set --drive --trace --arm --clock' ;;
    timeline) list='--help --svg --tree --for --robot --store --load' ;;
    preview) list='--help --node --tree --from-pose --object --robot --for --seed --situation --store --json --load' ;;
    steps) list='--help --to --from --planner --ground --around --set --seed --svg --json' ;;
    scene) list='--help --axes --unit --shape --find --voxels --label --picture --json' ;;
    schema) list='--help --json' ;;
    backup) list='--help --store --force' ;;
    merge) list='--help --json' ;;
    prune) list='--help --store --runs --older --to-size --keep --keep-last --samples --studied --yes --no-vacuum --json' ;;
    sync) list='--help --store --follow --every --mirror --json' ;;
    fleet) list='--help --broker --site --robot --token --for --json' ;;
    lua) list='--help --load' ;;
  esac
  case $current in
    -*) COMPREPLY=($(compgen -W "$list" -- "$current")) ;;
    *) COMPREPLY=($(compgen -f -- "$current")) ;;
  esac
}
complete -o filenames -F _brio brio
