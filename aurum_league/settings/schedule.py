"""Which tasks beat starts, and how often: name of the entry -> (dotted task name, seconds between two starts)."""

SCHEDULE: dict[str, tuple[str, float]] = {
    "sweep matches": ("games.sweep_matches", 5.0),
    "sweep tournaments": ("tournaments.sweep", 5.0),
    "keep the times of tournaments": ("tournaments.keep_time", 15.0),
    "sweep bots": ("bots.sweep", 60.0),
    "send turn notices": ("games.send_turn_notices", 60.0),
    "send notices": ("aurum_league.send_notices", 60.0),
    "forget old answers": ("aurum_league.forget_old_answers", 3600.0),
    "publish heads": ("aurum_league.publish_heads", 3600.0),
    "fit ratings": ("tournaments.fit_ratings", 600.0),
}
