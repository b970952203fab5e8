"""Django's entry to the bots app."""

from django.apps import AppConfig


QUICK_BRAINS = frozenset({"random", "greedy", "counting"})


class BotsConfig(AppConfig):
    name = "bots"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from bots.brains import make_brain
        from games.play.agents import Agent, SeatOrder, register_agents

        def open_house(order: SeatOrder) -> Agent:
            return make_brain(order.agent.partition(":")[2], order.bot_seed)

        register_agents("house", open_house, is_quick=lambda agent: agent.partition(":")[2] in QUICK_BRAINS)
