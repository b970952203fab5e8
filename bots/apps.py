"""Django's entry to the bots app."""

from django.apps import AppConfig


class BotsConfig(AppConfig):
    name = "bots"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from bots.brains import make_brain
        from games.play.agents import Agent, SeatOrder, register_agents

        def open_house(order: SeatOrder) -> Agent:
            return make_brain(order.agent.partition(":")[2], order.bot_seed)

        register_agents("house", open_house)
