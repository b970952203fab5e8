"""How a bot version is executed: the sandbox, the processes in it and the checks on what is uploaded."""
