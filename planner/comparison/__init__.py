"""The study without privacy, compared with the private one (Hsu14 §6)."""
