#!/bin/sh
# What each part of the engine is worth, on a list of tasks: reached set, order, reductions, domains. Tables and plots come from
# `heddle suite`; the number of comparisons of states is read from what the runs print.
#
#   [JOBS=1] crates/engine-cpa/benches/compare.sh TASKS.tsv [SECONDS] [FOLDER]
set -eu
tasks=$1 seconds=${2:-30} out=${3:-compare}
heddle=$(pwd)/target/release/heddle
check="$heddle check --no-static --verbose --time-limit {time}s --property {property} --data-model {model} --engine"
verdict="true:VERDICT: true,false:VERDICT: false"
add() {
    name=$1
    shift
    tools="$tools --tool '$name=$check $* {file}' --verdict '$name=$verdict'"
}
tools=
same="--track all --symmetry off"
add plain value $same --reduction none --partition none --order dfs
add partition value $same --reduction none --partition places --order dfs
add order value $same --reduction none --partition places --order threads-dfs
add local value $same --reduction local --partition places --order threads-dfs
add source value $same --reduction source --partition places --order threads-dfs
add sleep value $same --reduction source --sleep --partition places --order threads-dfs
add symmetry value --track all --reduction source --partition places --order threads-dfs
add default value
add interval interval
add modular interval --join threads
add bdd bdd
eval "$heddle suite --engine static ${JOBS:+--jobs $JOBS} --time-limit ${seconds}s --out $out $tools $tasks"
echo
echo "on the tasks that both solve: states, comparisons of states"
for tool in partition order local source sleep symmetry default interval modular bdd; do
    for log in "$out/logs/$tool"/*.log; do
        other="$out/logs/plain/$(basename "$log")"
        grep -q "^VERDICT: [tf]" "$log" && grep -q "^VERDICT: [tf]" "$other" || continue
        awk '/^states:/ { states[FILENAME] = $2 } /^stop checks:/ { checks[FILENAME] = $3 }
             END { print states[ARGV[1]] + 0, checks[ARGV[1]] + 0, states[ARGV[2]] + 0, checks[ARGV[2]] + 0 }' "$other" "$log"
    done | awk -v tool="$tool" '{ n++; a += $1; b += $2; c += $3; d += $4 }
        END { printf "%-10s %3d tasks: plain %9.0f %14.0f   %-10s %9.0f %14.0f\n", tool, n, a, b, tool, c, d }'
done
