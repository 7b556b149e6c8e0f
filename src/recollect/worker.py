"""Background: claim a job, run it, renew the lease, finish or retry."""
