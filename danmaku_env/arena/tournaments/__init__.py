"""Duplicate tournaments: plan, scheduler, record on disk, statistics, ratings, report. Single games are `matches`."""
