"""What all commands share: options, errors in one sentence, terminal and progress, run folders, Ray. It imports nothing above `config`."""
