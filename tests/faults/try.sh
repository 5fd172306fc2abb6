# Runs scenarios with faults. After each fault, the files must be sound, and repeating the command must give the same
# result as without a fault, without leftover files.

# Prints a checksum for each file of a folder, except for the lock, which contains the last writer.
list() {
    (cd "$1" && find . -type f ! -name writer.lock -print0 | sort -z | xargs -0r sha256sum)
}

# Prints the result: the files, or the scenario's answer.
outcome() {
    if declare -F "answer_$1" >/dev/null; then (cd "$2" && "answer_$1"); else list "$2"; fi
}

# Prints the names of the files in a folder without numbers, which differ after an interruption.
names() { (cd "$1" && find . -type f | sed 's/[0-9a-f]\{6,\}/N/g' | sort); }

# Runs a scenario without a fault, and stores its duration and result.
expect() {
    local name=$1 folder=$WORK/whole begun code=0
    rm -rf "$WORK/begin" "$folder" && mkdir -p "$WORK/begin" "$folder"
    "begin_$name" "$WORK/begin" || return 1
    list "$WORK/begin" >"$WORK/before"
    cp -r "$WORK/begin/." "$folder"
    begun=$(date +%s%N)
    (cd "$folder" && "run_$name") >/dev/null 2>"$WORK/err" || code=$?
    NANOS=$(($(date +%s%N) - begun))
    [ $code -le 1 ] || { cat "$WORK/err" && return 1; }
    list "$folder" >"$WORK/after"
    names "$folder" >"$WORK/names"
    outcome "$name" "$folder" >"$WORK/wanted"
}

fresh() {
    rm -rf "$WORK/try" && mkdir -p "$WORK/try" && cp -r "$WORK/begin/." "$WORK/try"
}

# Classifies the state of the files, and counts it.
state() {
    list "$WORK/try" >"$WORK/now"
    if cmp -s "$WORK/now" "$WORK/before"; then
        n_before=$((n_before + 1))
    elif cmp -s "$WORK/now" "$WORK/after"; then
        n_after=$((n_after + 1))
    else
        n_between=$((n_between + 1))
    fi
}

# Checks the files of a scenario after a fault, then repeats the command.
recover() {
    local name=$1 at=$2 code
    if ! (cd "$WORK/try" && "sound_$name") >"$WORK/sound" 2>&1; then
        echo "  $at: not sound: $(tail -n 2 "$WORK/sound")"
        return 1
    fi
    (cd "$WORK/try" && "run_$name") >/dev/null 2>"$WORK/err"
    code=$?
    if [ $code -gt 1 ]; then
        echo "  $at: cannot continue, exit code $code: $(tail -n 2 "$WORK/err")"
        return 1
    fi
    outcome "$name" "$WORK/try" >"$WORK/now"
    if ! cmp -s "$WORK/now" "$WORK/wanted"; then
        echo "  $at: continues to a different result:"
        diff "$WORK/wanted" "$WORK/now" | cut -c1-100 | head -n 6
        return 1
    fi
    names "$WORK/try" >"$WORK/now"
    if ! diff "$WORK/names" "$WORK/now" >"$WORK/diff" && grep -q 'part$\|new$\|/\.' "$WORK/diff"; then
        echo "  $at: leftover files: $(tr '\n' ' ' <"$WORK/diff")"
        return 1
    fi
}

zero() { n_before=0 n_between=0 n_after=0 n_bad=0 n=0; }

summarize() {
    local way=$1 name=$2 what=$3
    printf '%-8s %-16s %s %s: %s as before, %s in between, %s done; %s not sound\n' \
        "$way" "$name" "$n" "$what" "$n_before" "$n_between" "$n_after" "$n_bad"
    [ $n_bad = 0 ]
}

try_kill() { interrupt "$1" kill KILL 137; }

try_cancel() { interrupt "$1" cancel INT 130; }

# Sends a signal at random moments of runs, which then end with an exit code.
interrupt() {
    local name=$1 way=$2 signal=$3 wanted=$4 kills=${KILLS:-100} tries pause shell
    zero
    for ((tries = 0; n < kills && tries < 4 * kills; tries++)); do
        fresh
        pause=$((NANOS * (RANDOM % 1000) / 1000))
        # The shell starts commands in the background without SIGINT.
        (cd "$WORK/try" && exec env --default-signal=INT setsid bash -c '. "$0"; '"run_$name" "$here/scenarios.sh") \
            >/dev/null 2>&1 &
        shell=$!
        sleep "$(printf '%d.%09d' $((pause / 1000000000)) $((pause % 1000000000)))"
        kill -"$signal" -- -"$shell" 2>/dev/null
        # Runs that ended earlier do not count; they are faster than the first one.
        wait "$shell" 2>/dev/null
        [ $? = "$wanted" ] || { NANOS=$((NANOS * 19 / 20)) && continue; }
        n=$((n + 1))
        state
        recover "$name" "after $((pause / 1000000)) ms" || n_bad=$((n_bad + 1))
    done
    summarize "$way" "$name" signals
}

# Runs a scenario with a fault at every call that changes files, until a run has fewer calls. After the first twelve, the
# number of the call grows by a fifth each time.
each_call() {
    local name=$1 fault=$2 after=$3 call times nth code program=$TAFL
    zero
    for call in write pwrite64 writev ftruncate fsync fdatasync rename link linkat unlink unlinkat mkdir rmdir; do
        # Messages are written, too, so only one write fails.
        times=$fault
        [ $call != write ] || times=${fault%+}
        for ((nth = 1; nth < 4000; nth = nth < 12 ? nth + 1 : nth * 6 / 5)); do
            fresh
            rm -f "$WORK/trace"
            printf '#!/bin/sh\nexec strace -f -qq -o %q -e trace=%s -e inject=%s:%s %q "$@"\n' \
                "$WORK/trace" "$call" "$call" "${times/NTH/$nth}" "$program" >"$WORK/traced"
            chmod +x "$WORK/traced"
            code=0
            (cd "$WORK/try" && TAFL=$WORK/traced "run_$name") >/dev/null 2>"$WORK/err" || code=$?
            grep -q 'INJECTED\|killed by SIGKILL' "$WORK/trace" || break
            # Skips writes to standard output and error.
            grep 'INJECTED' "$WORK/trace" | head -n 1 | grep -q ' write([12],' && continue
            n=$((n + 1))
            state
            "$after" "$name" "$call $nth" $code && recover "$name" "$call $nth" || n_bad=$((n_bad + 1))
        done
    done
}

try_calls() {
    each_call "$1" signal=SIGKILL:when=NTH true
    summarize calls "$1" kills
}

# After a failed call, the program must name the cause, the file, and the remedy, and exit with code 2.
refused() {
    local at=$2 code=$3 cause=${4:-no space left}
    if [ "$code" = 0 ]; then
        # The failed call was not essential, such as the removal of leftover files.
        case $at in unlink* | rmdir*) return 0 ;; esac
    fi
    if [ "$code" != 2 ] || grep -q panicked "$WORK/err" || ! grep -qi "$cause" "$WORK/err" ||
        grep -qi 'is damaged' "$WORK/err"; then
        echo "  $at: exit code $code: $(tail -n 2 "$WORK/err")"
        return 1
    fi
    grep -q 'help: ' "$WORK/err" || { echo "  $at: no help in the message: $(tail -n 2 "$WORK/err")" && return 1; }
}

try_refused() {
    each_call "$1" error=ENOSPC:when=NTH+ refused
    summarize refused "$1" 'refused calls'
}

# A file system with little more space than the initial state needs, in sizes that affect each part of the work.
try_full() {
    local name=$1 steps=${STEPS:-24} at=$WORK/try used need room nth code
    zero
    used=$(du -sk "$WORK/begin" | cut -f1)
    need=$(($(du -sk "$WORK/whole" | cut -f1) - used))
    [ $need -ge 8 ] || need=8
    for ((nth = 0; nth < steps; nth++)); do
        room=$((used + 16 + need * nth * 5 / 4 / steps))
        rm -rf "$at" && mkdir -p "$at" && mount -t tmpfs -o size=$((used + 65536))k tmpfs "$at" || return 1
        cp -r "$WORK/begin/." "$at"
        mount -o remount,size=${room}k "$at"
        code=0
        (cd "$at" && "run_$name") >/dev/null 2>"$WORK/err" || code=$?
        if [ $code -gt 1 ]; then
            n=$((n + 1))
            state
            refused "$name" "$((room - used)) KiB" $code || n_bad=$((n_bad + 1))
            (cd "$at" && "sound_$name") >"$WORK/sound" 2>&1 || { echo "  full: $(tail -n 1 "$WORK/sound")" && n_bad=$((n_bad + 1)); }
            mount -o remount,size=$((used + 65536))k "$at"
            recover "$name" "$((room - used)) KiB" || n_bad=$((n_bad + 1))
        fi
        umount "$at"
    done
    summarize full "$name" sizes
}

# A file size limit, from a small one to the size of the largest file of the complete run.
try_limit() {
    local name=$1 steps=${STEPS:-24} largest nth blocks code
    zero
    largest=$(find "$WORK/whole" -type f -printf '%s\n' | sort -n | tail -n 1)
    for ((nth = 1; nth <= steps; nth++)); do
        # The unit of bash is 1,024 bytes.
        blocks=$((largest * nth / steps / 1024))
        fresh
        code=0
        (cd "$WORK/try" && ulimit -f $blocks && "run_$name") >/dev/null 2>"$WORK/err" || code=$?
        [ $code -gt 1 ] || continue
        n=$((n + 1))
        state
        refused "$name" "$blocks KiB" $code 'file too large' && recover "$name" "$blocks KiB" || n_bad=$((n_bad + 1))
    done
    summarize limit "$name" sizes
}

# The same command while it runs: the second run is refused, or succeeds. The result is that of one run.
try_writers() {
    local name=$1 pairs=${PAIRS:-10} nth pause first code second
    zero
    for ((nth = 0; nth < pairs; nth++)); do
        fresh
        pause=$((NANOS * nth / pairs))
        (cd "$WORK/try" && "run_$name") >/dev/null 2>"$WORK/err" &
        first=$!
        sleep "$(printf '%d.%09d' $((pause / 1000000000)) $((pause % 1000000000)))"
        second=0
        (cd "$WORK/try" && "run_$name") >/dev/null 2>"$WORK/err2" || second=$?
        wait $first
        code=$?
        n=$((n + 1))
        # Either of them may be the first.
        if [ $code -gt 1 ] && [ $second -gt 1 ]; then
            echo "  pause $((pause / 1000000)) ms: both fail: $(tail -n 1 "$WORK/err") $(tail -n 1 "$WORK/err2")"
            n_bad=$((n_bad + 1))
            continue
        fi
        if [ $second -gt 1 ] && ! grep -q 'another program\|in use' "$WORK/err2"; then
            echo "  pause $((pause / 1000000)) ms: exit code $second: $(tail -n 2 "$WORK/err2")"
            n_bad=$((n_bad + 1))
            continue
        fi
        state
        recover "$name" "pause $((pause / 1000000)) ms" || n_bad=$((n_bad + 1))
    done
    summarize writers "$name" pairs
}

# Clocks of another year, and those that run fast, slowly, or backward.
try_clock() {
    local name=$1 lib=${FAKETIME_LIB:-} clock code
    [ -n "$lib" ] || lib=$(find /usr/lib /usr/local/lib -name 'libfaketimeMT.so.1' 2>/dev/null | head -n 1)
    if [ -z "$lib" ]; then
        printf '%-8s %-16s %s\n' clock "$name" 'skipped: libfaketime is missing'
        return 0
    fi
    zero
    for clock in '@2006-01-01 00:00:00' '@1970-01-01 00:00:01' '+0 x1000' '+0 x0.01' '+0 i-2.0'; do
        fresh
        code=0
        (cd "$WORK/try" && LD_PRELOAD=$lib FAKETIME=$clock DONT_FAKE_MONOTONIC=1 timeout 120 bash -c \
            '. "$0"; '"run_$name" "$here/scenarios.sh") >/dev/null 2>"$WORK/err" || code=$?
        n=$((n + 1))
        state
        if [ $code -gt 1 ]; then
            echo "  clock $clock: exit code $code: $(tail -n 2 "$WORK/err")"
            n_bad=$((n_bad + 1))
            continue
        fi
        recover "$name" "clock $clock" || n_bad=$((n_bad + 1))
    done
    summarize clock "$name" clocks
}
