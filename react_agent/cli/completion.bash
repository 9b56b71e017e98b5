# react-agent completion bash

_react_agent() {
    local line=${COMP_LINE:0:COMP_POINT} cut='' word
    local -a words
    IFS=$' \t\n' read -ra words <<<"$line"
    case $line in *[[:space:]]) words+=('') ;; esac
    # For bash, what follows one of these is a word of its own.
    word=${words[${#words[@]} - 1]}
    case $word in *[:=]*) cut=${word%"${word##*[:=]}"} ;; esac
    COMPREPLY=()
    while IFS= read -r word; do
        [[ $word == "$cut" ]] || COMPREPLY+=("${word#"$cut"}")
    done < <("$1" complete "${words[@]:1}" 2>/dev/null)
    case ${COMPREPLY[0]-} in *[:/=]) compopt -o nospace 2>/dev/null ;; esac
}

complete -o default -o bashdefault -F _react_agent react-agent
