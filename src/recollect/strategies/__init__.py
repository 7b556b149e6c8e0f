"""Other places than our own store that store_memory and vote_memory can lead to."""
