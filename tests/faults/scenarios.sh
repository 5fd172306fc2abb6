# The scenarios: for each one, an initial state, a command, and a check of its files.
#
#   begin_NAME FOLDER    creates the initial state
#   run_NAME             the command, run in that folder; its inputs are in $STOCK
#   sound_NAME           the check after every fault
#   answer_NAME          the expected result, if the files need not be equal byte by byte

SCENARIOS=(import_new import_more import_steps import_rows import_watch merge compact repair remove tag player
    annotate_cache annotate_corpus puzzles calibrate selfplay match league openings tune solve_tables solve_proof
    report report_parquet report_folder search convert convert_folder repair_records quarantine show man export)

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
        stock match -q taflbase random --variant brandubh7 --pairs 40 --nodes 20 --plies 80 -o "$STOCK/both.jsonl" >/dev/null &&
        stock rows -q "$STOCK/b.jsonl" >"$STOCK/b.rows" &&
        stock import -q "$STOCK/a.corpus" "$STOCK/a.jsonl" >/dev/null &&
        stock import -q "$STOCK/b.corpus" "$STOCK/b.jsonl" >/dev/null &&
        stock import -q "$STOCK/few.corpus" "$STOCK/few.jsonl" >/dev/null &&
        cp -r "$STOCK/a.corpus" "$STOCK/three.corpus" &&
        stock import -q "$STOCK/three.corpus" "$STOCK/b.jsonl" >/dev/null &&
        stock remove -q "$STOCK/three.corpus" --query 'plies < 15' >/dev/null &&
        cp -r "$STOCK/a.corpus" "$STOCK/damaged.corpus" && damage "$STOCK/damaged.corpus" &&
        tables "$STOCK/a.corpus" >"$STOCK/a.tables" &&
        mkdir -p "$STOCK/watched" && head -n 100 "$STOCK/b.jsonl" >"$STOCK/watched/1.jsonl" &&
        tail -n 200 "$STOCK/b.jsonl" >"$STOCK/watched/2.jsonl" &&
        stock import "$STOCK/watched.corpus" "$STOCK/watched" --format json 2>/dev/null |
        sed 's/.*"corpus_games":\([0-9]*\).*/\1/' >"$STOCK/watched.count" &&
        sed 's/"moves":"\([a-g]\)\([1-7]\)-\([a-g]\)[1-7]/"moves":"\1\2-\3\2/' "$STOCK/few.jsonl" >"$STOCK/broken.jsonl" &&
        sed -n '1s/.*\["attackers","\([^"]*\)"\].*/\1/p' "$STOCK/a.jsonl" >"$STOCK/player" &&
        echo old >"$STOCK/old"
}

# Damages or removes every kind of file that is derived from the tables of a segment.
damage() {
    local segment
    for segment in "$1"/segments/*; do
        printf 'damage' | dd of="$segment/tape.bin" bs=1 seek=100 conv=notrunc status=none &&
            rm "$segment/openings.bin" && truncate -s 20 "$segment/index/keys.bin" || return 1
    done
}

# Prints the content of the tables of a corpus, which do not need the derived files.
tables() {
    local table
    for table in games plies; do
        "$TAFL" sql -q "$1" "SELECT * FROM $table ORDER BY game" --format csv | sort || return 1
    done
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

# Ends when both files of the folder are in the corpus; each is imported for itself.
begin_import_watch() { :; }
run_import_watch() {
    local line games=0 pid wanted
    read -r wanted <"$STOCK/watched.count"
    exec 3< <(exec "$TAFL" import -q games.corpus --watch "$STOCK/watched" --interval 0.1 --format json)
    pid=$!
    # It tries again where it failed, for example on a full disk: then the scenario ends without all games.
    while [ "$games" -lt "$wanted" ] && read -r -t 20 line <&3; do
        line=${line##*'"corpus_games":'}
        games=${line%%[!0-9]*}
    done
    # Under strace, the program is a child of the process.
    pkill -INT -P $pid
    kill -INT $pid
    wait $pid
}
sound_import_watch() { sound_import_new; }
answer_import_watch() { "$TAFL" export -q games.corpus --to jsonl | sort; }

begin_merge() { take a.corpus "$1/games.corpus"; }
run_merge() { "$TAFL" merge -q games.corpus "$STOCK/b.corpus" "$STOCK/few.corpus"; }
sound_merge() { "$TAFL" verify -q --deep games.corpus; }

begin_compact() { take three.corpus "$1/games.corpus"; }
run_compact() { "$TAFL" compact -q games.corpus; }
sound_compact() { "$TAFL" verify -q --deep games.corpus; }

# The derived files are damaged: the tables keep all games, and the command that repairs the rest is named.
begin_repair() { take damaged.corpus "$1/games.corpus"; }
run_repair() { "$TAFL" compact -q games.corpus; }
sound_repair() {
    local found
    tables games.corpus | cmp - "$STOCK/a.tables" || return 1
    found=$("$TAFL" verify -q --deep games.corpus 2>&1) || grep 'tafl compact' <<<"$found"
}

begin_remove() { take three.corpus "$1/games.corpus"; }
run_remove() { "$TAFL" remove -q games.corpus --query 'plies > 40'; }
sound_remove() { "$TAFL" verify -q --deep games.corpus; }

begin_tag() { take three.corpus "$1/games.corpus"; }
run_tag() { "$TAFL" tag -q games.corpus --query 'plies > 40' --add long; }
sound_tag() { "$TAFL" verify -q --deep games.corpus; }

begin_player() { take three.corpus "$1/games.corpus"; }
run_player() { "$TAFL" player merge -q games.corpus Taflbase "$(cat "$STOCK/player")" --force; }
sound_player() { "$TAFL" verify -q --deep games.corpus; }

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

begin_puzzles() { :; }
run_puzzles() { "$TAFL" puzzles -q "$STOCK/few.jsonl" --nodes 100 --cache cache.log -o out.jsonl; }
sound_puzzles() { :; }
answer_puzzles() { cat out.jsonl; }

begin_calibrate() { cp "$STOCK/old" "$1/out.txt"; }
run_calibrate() { "$TAFL" calibrate -q "$STOCK/both.jsonl" --nodes 5 -o out.txt; }
sound_calibrate() { :; }

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

begin_league() { :; }
run_league() {
    "$TAFL" league -q taflbase:nodes=50 taflbase:nodes=20 random --variant brandubh7 --pairs 4 --plies 40 \
        --resume state.json -o games.jsonl
}
sound_league() { :; }

begin_openings() { cp "$STOCK/old" "$1/out.jsonl"; }
run_openings() { "$TAFL" openings find -q --variant brandubh7 --rounds 1 --nodes 200 --resume state.json -o out.jsonl; }
sound_openings() { :; }

begin_tune() { cp "$STOCK/old" "$1/out.weights"; }
run_tune() { "$TAFL" tune -q --variant brandubh7 "$STOCK/few.jsonl" --nodes 50 --keep labels.txt -o out.weights; }
sound_tune() { :; }

begin_solve_tables() { :; }
run_solve_tables() { "$TAFL" solve -q --variant brandubh7 --build-tables tables --pieces 3; }
sound_solve_tables() {
    ! compgen -G 'tables/*.tafltable' >/dev/null ||
        "$TAFL" solve -q --variant brandubh7 --tables tables --position /3K3/7/7/7/7/7/5t1/ --nodes 10 >/dev/null
}

begin_solve_proof() { cp "$STOCK/old" "$1/proof.txt"; }
run_solve_proof() {
    "$TAFL" solve -q --variant brandubh7 --position /7/t5t/7/3K3/3T3/1t5/7/ --certificate proof.txt
}
sound_solve_proof() { grep -qx old proof.txt || "$TAFL" solve -q --check proof.txt; }

begin_report() { take a.corpus "$1/games.corpus"; cp "$STOCK/old" "$1/out.html"; }
run_report() { "$TAFL" report balance -q games.corpus -o out.html; }
sound_report() { "$TAFL" verify -q games.corpus; }

begin_report_parquet() { take a.corpus "$1/games.corpus"; cp "$STOCK/old" "$1/out.parquet"; }
run_report_parquet() { "$TAFL" report balance -q games.corpus -o out.parquet; }
sound_report_parquet() { "$TAFL" verify -q games.corpus; }

begin_report_folder() { take a.corpus "$1/games.corpus"; mkdir "$1/out"; }
run_report_folder() { "$TAFL" report balance -q games.corpus -o out/; }
sound_report_folder() { "$TAFL" verify -q games.corpus; }

begin_search() { take a.corpus "$1/games.corpus"; cp "$STOCK/old" "$1/out.csv"; }
run_search() { "$TAFL" search -q games.corpus 'plies > 10' --limit 1000 --format csv -o out.csv; }
sound_search() { "$TAFL" verify -q games.corpus; }

begin_convert() { cp "$STOCK/old" "$1/out.otn"; }
run_convert() { "$TAFL" convert -q --to opentafl "$STOCK/b.jsonl" -o out.otn; }
sound_convert() { :; }

begin_convert_folder() { mkdir "$1/out"; }
run_convert_folder() { "$TAFL" convert -q --to pgn "$STOCK/a.jsonl" "$STOCK/b.jsonl" -o out/ --losses losses.txt; }
sound_convert_folder() { :; }

begin_repair_records() { cp "$STOCK/old" "$1/out.jsonl"; }
run_repair_records() {
    "$TAFL" repair -q "$STOCK/broken.jsonl" --apply=first -o out.jsonl --report report.jsonl
}
sound_repair_records() { :; }

begin_quarantine() { :; }
run_quarantine() { "$TAFL" validate -q "$STOCK/broken.jsonl" --quarantine bad; }
sound_quarantine() { :; }

begin_show() { cp "$STOCK/old" "$1/out.png"; }
run_show() { "$TAFL" show -q "$STOCK/a.jsonl:1" -o out.png; }
sound_show() { :; }

begin_man() { :; }
run_man() { "$TAFL" man -q -o man; }
sound_man() { :; }

begin_export() { take a.corpus "$1/games.corpus"; cp "$STOCK/old" "$1/out.jsonl"; }
run_export() { "$TAFL" export -q games.corpus --to jsonl -o out.jsonl; }
sound_export() { "$TAFL" verify -q games.corpus; }
