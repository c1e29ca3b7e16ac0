"""What is killed at random instants leaves nothing that hurts: experiments as commands, with figures. See `__main__`."""
