"""The real hosts, end to end: `make test-hosts`. Not part of `make test`, which collects `test_*.py` alone."""
