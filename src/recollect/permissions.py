"""Who may change memory: rules, approvals, risk."""
