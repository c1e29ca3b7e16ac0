"""Duplicate tournaments: plan, crew of processes, record on disk, statistics, ratings, report. Single games are `matches`."""
