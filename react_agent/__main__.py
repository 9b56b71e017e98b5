"""Run react-agent as `python -m react_agent`."""

from react_agent.cli.main import main

main()
