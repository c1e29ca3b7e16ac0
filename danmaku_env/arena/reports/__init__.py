"""What reports are made of: estimates with intervals, their words, colours, pictures and pages."""
