"""react-agent eval: a module for each of its commands."""
