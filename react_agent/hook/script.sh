unset CDPATH
PATH=${PATH:+$PATH:}/usr/bin:/bin
code=0
nl='
'

tell() {
    printf 'react-agent: %s\n' "$1" >&2
}

# Below, `given` is what git wrote to our standard input, for the hook that it writes to.
call_earlier() {
    [ -f "$earlier" ] && [ -x "$earlier" ] || return 0
    if [ -n "${PRE_COMMIT_RUNNING_LEGACY-}" ] && grep -q hook-impl "$earlier"; then
        return 0 # pre-commit calls us, and would be called by us
    fi
    case $name in
        post-commit) "$earlier" "$@" ;;
        *) printf '%s' "$given" 2>/dev/null | "$earlier" "$@" ;;
    esac
}

tell_news() {
    set -- "$state"/news/*.txt
    [ -f "$1" ] || return 0
    cat "$@" >&2
    rm -f "$@"
}

# A request: a name, and lines. It is there whole or not at all, and first of all else.
ask() {
    label=$1 lines=$2
    set -- "$state"/asked/*
    if [ $# -ge 100 ]; then
        tell "not queued: 100 requests are waiting (react-agent hook status)"
        return 1
    fi
    half=$state/asked/.$label.$$
    (
        trap '' XFSZ
        umask 077
        printf '%s\ntop: %s\n' "$lines" "$PWD" >"$half" && mv -f "$half" "$state/asked/$label.$$"
    ) 2>/dev/null && return 0
    rm -f "$half"
    tell "not queued: nothing can be written to $state"
    return 1
}

# Nothing that git set for this hook goes on from here.
forget_git() {
    unset $(git rev-parse --local-env-vars) GIT_QUARANTINE_PATH GIT_REFLOG_ACTION GIT_EDITOR \
        GIT_INTERNAL_SUPER_PREFIX GIT_PUSH_OPTION_COUNT GIT_EXEC_PATH
}

can_start() {
    [ -x "$python" ] && return 0
    tell "there is no $python any more: react-agent hook install"
    return 1
}

start_worker() {
    can_start || return 0
    log=$state/worker.log
    (: >>"$log") 2>/dev/null || log=/dev/null
    # Whoever reads what the hook prints must not wait for the worker: no shell of ours lives on.
    (
        trap '' HUP
        exec </dev/null >>"$log" 2>&1
        forget_git
        exec "$python" -P -m react_agent hook run --background --state "$state"
    ) &
}

post_commit() {
    commit=$(git cat-file commit HEAD 2>/dev/null) || return 0
    case $commit in *"$nl"[Aa][Gg][Ee][Nn][Tt]:*) ;; *) return 0 ;; esac
    case ${commit%%"$nl$nl"*} in *'<react-agent@localhost>'*) return 0 ;; esac
    action=$(git log -g -1 --no-show-signature --format='%H %gs' HEAD 2>/dev/null)
    id=${action%% *}
    case ${action#* } in
        commit*) ;;
        '') # this repository keeps no log of what was done
            folder=$(git rev-parse --git-dir) || return 0
            [ ! -d "$folder/rebase-merge" ] && [ ! -d "$folder/rebase-apply" ] || return 0
            id=$(git rev-parse --verify --quiet HEAD) || return 0
            ;;
        *) return 0 ;; # a rebase, a cherry-pick: it has been a commit before
    esac
    ask "$id" "hook: post-commit${nl}commit: $id" && announce "$id"
}

# The settings are read here, so that a mistake in them is seen by whoever commits.
announce() {
    can_start || return 0
    if (forget_git && exec "$python" -P -m react_agent hook settings >&2); then
        tell "a run is queued for commit ${1%"${1#???????}"} (react-agent hook status)"
        start_worker
    else
        tell "the run for commit ${1%"${1#???????}"} waits: correct this, then react-agent hook run"
        code=1
    fi
}

# Of what is pushed, the branches that say how to check them.
to_check() {
    while read -r local_ref new ref old; do
        case $ref in refs/heads/react-agent/*) continue ;; refs/heads/*) ;; *) continue ;; esac
        case $local_ref in refs/heads/react-agent/*) continue ;; esac
        case $new in *[!0]*) ;; *) continue ;; esac
        if git grep -q --basic-regexp '^\[react_agent\]' "$new" -- .react-agent.cfg setup.cfg 2>/dev/null; then
            printf '%s %s %s\n' "$old" "$new" "$ref"
        fi
    done
}

pre_push() {
    pushed=$(printf '%s' "$given" | to_check)
    [ -n "$pushed" ] && can_start || return 0
    printf '%s\n' "$pushed" | (
        forget_git
        exec "$python" -P -m react_agent hook check --state "$state" --top "$PWD" >&2
    )
    case $? in
        10) code=1 && start_worker ;; # the one answer that blocks; whatever else goes wrong does not
        11) start_worker ;;
    esac
}

case $name in
    pre-push) given=$(cat && printf .) && given=${given%.} ;;
esac
call_earlier "$@" || code=$?
if [ "$code" -ne 0 ] && [ "$name" = pre-push ]; then
    exit "$code"
fi
case ${REACT_AGENT_SKIP:-0} in 0) ;; *) exit "$code" ;; esac
if [ -d "$state/asked" ]; then
    tell_news
    case $name in
        post-commit) post_commit ;;
        pre-push) pre_push ;;
    esac
fi
exit "$code"
