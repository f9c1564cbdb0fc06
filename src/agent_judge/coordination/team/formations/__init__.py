"""Who works when, and what becomes the team's output: a file for each formation."""
