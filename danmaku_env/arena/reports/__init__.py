"""Reports: tables, plots, colours and pages."""
