"""Data and documents: JSON, YAML, TOML, INI, properties and XML."""
