"""The part of the API about players, rulesets and matches."""
