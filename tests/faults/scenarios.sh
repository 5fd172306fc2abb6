# The scenarios: for each one, an initial state, a command, and a check of its files.
#
#   begin_NAME FOLDER    creates the initial state
#   run_NAME             the command, run in that folder; its inputs are in $STOCK
#   sound_NAME           the check after every fault
#   answer_NAME          the expected result, if the files need not be equal byte by byte

SCENARIOS=(import_new import_more import_steps import_rows merge compact remove annotate_cache annotate_corpus
    selfplay match tune solve_tables report convert export)

# Runs the program to create inputs; findings in records are not a failure.
stock() {
    local code=0
    "$TAFL" "$@" || code=$?
    [ $code -le 1 ] || { echo "cannot create the inputs: tafl $* exited with $code" >&2; return 1; }
}

# Creates the games, corpora, and rows that the scenarios use.
make_stock() {
    local play=(selfplay -q --variant brandubh7 --games "${GAMES:-300}" --nodes 1 --plies 60 --opening-plies 8)
    stock "${play[@]}" --seed 1 >"$STOCK/a.jsonl" &&
        stock "${play[@]}" --seed 2 >"$STOCK/b.jsonl" &&
        head -n 100 "$STOCK/a.jsonl" >>"$STOCK/b.jsonl" &&
        echo '{"taflbase":1,"format":"movelist","variant":"brandubh7","lines":[{"moves":"d1-d9"}]}' >>"$STOCK/b.jsonl" &&
        head -n 12 "$STOCK/a.jsonl" >"$STOCK/few.jsonl" &&
        stock rows -q "$STOCK/b.jsonl" >"$STOCK/b.rows" &&
        stock import -q "$STOCK/a.corpus" "$STOCK/a.jsonl" >/dev/null &&
        stock import -q "$STOCK/b.corpus" "$STOCK/b.jsonl" >/dev/null &&
        stock import -q "$STOCK/few.corpus" "$STOCK/few.jsonl" >/dev/null &&
        cp -r "$STOCK/a.corpus" "$STOCK/three.corpus" &&
        stock import -q "$STOCK/three.corpus" "$STOCK/b.jsonl" >/dev/null &&
        stock remove -q "$STOCK/three.corpus" --query 'plies < 15' >/dev/null &&
        echo old >"$STOCK/old"
}

take() { cp -r "$STOCK/$1" "$2"; }

begin_import_new() { :; }
run_import_new() { "$TAFL" import -q games.corpus "$STOCK/b.jsonl"; }
sound_import_new() { ! [ -e games.corpus/manifest.json ] || "$TAFL" verify -q --deep games.corpus; }

begin_import_more() { take a.corpus "$1/games.corpus"; }
run_import_more() { "$TAFL" import -q games.corpus "$STOCK/b.jsonl"; }
sound_import_more() { "$TAFL" verify -q --deep games.corpus; }

begin_import_steps() { take a.corpus "$1/games.corpus"; }
run_import_steps() { "$TAFL" import -q games.corpus "$STOCK/b.jsonl" --commit-every 100; }
sound_import_steps() { "$TAFL" verify -q --deep games.corpus; }

answer_import_steps() { "$TAFL" export -q games.corpus --to jsonl | sort; }

begin_import_rows() { take a.corpus "$1/games.corpus"; }
run_import_rows() { "$TAFL" import -q games.corpus --rows "$STOCK/b.rows"; }
sound_import_rows() { "$TAFL" verify -q --deep games.corpus; }

begin_merge() { take a.corpus "$1/games.corpus"; }
run_merge() { "$TAFL" merge -q games.corpus "$STOCK/b.corpus" "$STOCK/few.corpus"; }
sound_merge() { "$TAFL" verify -q --deep games.corpus; }

begin_compact() { take three.corpus "$1/games.corpus"; }
run_compact() { "$TAFL" compact -q games.corpus; }
sound_compact() { "$TAFL" verify -q --deep games.corpus; }

begin_remove() { take three.corpus "$1/games.corpus"; }
run_remove() { "$TAFL" remove -q games.corpus --query 'plies > 40'; }
sound_remove() { "$TAFL" verify -q --deep games.corpus; }

begin_annotate_cache() { :; }
run_annotate_cache() { "$TAFL" annotate -q "$STOCK/few.jsonl" --nodes 300 --cache cache.log --format jsonl -o out.jsonl; }
sound_annotate_cache() { :; }
answer_annotate_cache() { cat out.jsonl; }

begin_annotate_corpus() { take few.corpus "$1/games.corpus"; }
run_annotate_corpus() { "$TAFL" annotate -q games.corpus --nodes 300 --format jsonl -o out.jsonl; }
sound_annotate_corpus() {
    "$TAFL" verify -q --deep games.corpus && "$TAFL" sql -q games.corpus 'SELECT COUNT(*) FROM evals'
}

answer_annotate_corpus() {
    "$TAFL" sql -q games.corpus 'SELECT * FROM evals ORDER BY game, ply' --format csv
    cat out.jsonl
}

begin_selfplay() { :; }
run_selfplay() {
    "$TAFL" selfplay -q --variant brandubh7 --games 40 --nodes 100 --plies 40 --resume state.json -o games.jsonl
}
sound_selfplay() { :; }

begin_match() { :; }
run_match() {
    "$TAFL" match -q taflbase random --variant brandubh7 --pairs 20 --nodes 100 --plies 40 --resume state.json -o games.jsonl
}
sound_match() { :; }

begin_tune() { cp "$STOCK/old" "$1/out.weights"; }
run_tune() { "$TAFL" tune -q --variant brandubh7 "$STOCK/few.jsonl" --nodes 50 --keep labels.txt -o out.weights; }
sound_tune() { :; }

begin_solve_tables() { :; }
run_solve_tables() { "$TAFL" solve -q --variant brandubh7 --build-tables tables --pieces 3; }
sound_solve_tables() {
    ! compgen -G 'tables/*.tafltable' >/dev/null ||
        "$TAFL" solve -q --variant brandubh7 --tables tables --position /3K3/7/7/7/7/7/5t1/ --nodes 10 >/dev/null
}

begin_report() { take a.corpus "$1/games.corpus"; cp "$STOCK/old" "$1/out.html"; }
run_report() { "$TAFL" report balance -q games.corpus -o out.html; }
sound_report() { "$TAFL" verify -q games.corpus; }

begin_convert() { cp "$STOCK/old" "$1/out.otn"; }
run_convert() { "$TAFL" convert -q --to opentafl "$STOCK/b.jsonl" -o out.otn; }
sound_convert() { :; }

begin_export() { take a.corpus "$1/games.corpus"; cp "$STOCK/old" "$1/out.jsonl"; }
run_export() { "$TAFL" export -q games.corpus --to jsonl -o out.jsonl; }
sound_export() { "$TAFL" verify -q games.corpus; }
