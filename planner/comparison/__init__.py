"""The study that is not private, compared with the private one (Hsu14 §6)."""
