"""The statements of SQL, one module a table family: each under a name, with a line on what it is for."""
