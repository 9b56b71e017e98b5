#compdef react-agent
# react-agent completion zsh

_react_agent() {
    local -a found
    found=("${(@f)$("${words[1]}" complete "${(@)words[2,CURRENT-1]}" "$PREFIX" 2>/dev/null)}")
    found=(${found:#})
    if (( $#found )); then
        compadd -V react-agent -a -- found
    else
        _files
    fi
}

if [[ ${zsh_eval_context[-1]} == loadautofunc ]]; then
    _react_agent "$@"
else
    compdef _react_agent react-agent
fi
