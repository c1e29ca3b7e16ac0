"""Reports: estimates with intervals, tables, plots, colours and pages."""
