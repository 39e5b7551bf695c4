"""Studies as files: TOML, and tables of many sites."""
