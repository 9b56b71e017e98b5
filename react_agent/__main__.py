"""`python -m react_agent` is `react-agent`."""

from react_agent.cli.main import main

main()
