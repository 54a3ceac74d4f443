"""What was learned: the room for trained weights, installed together with the engine."""
