"""Many studies at once: grids of quantities, decided in arrays, kept in files."""
