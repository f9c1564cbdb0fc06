"""The providers: each protocol as pure functions, and how bodies are sent and answered."""
