"""Studies with strata: groups known beforehand, each of them a study by itself."""
