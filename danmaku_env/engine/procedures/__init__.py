"""The procedures of the stack machine, one file each: a frame of a procedure is carried on by one step per call."""
