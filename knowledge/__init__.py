"""What learns: the room for game records, shape patterns, features and the learners."""
