"""Django's entry to the bots app."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _

QUICK_BRAINS = frozenset({"random", "greedy", "counting", "learner", "learnt"})


class BotsConfig(AppConfig):
    name = "bots"
    verbose_name = _("Bots")
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Say how house bots and bots of others are played, and connect the receivers."""
        from bots import receivers  # noqa: F401
        from bots.brains import make_brain
        from bots.runners.selftest import read_sandbox_state
        from bots.services.agents import may_enter, name_agent, open_version
        from games.play.agents import Agent, AgentKind, SeatOrder, register_agents, register_sandbox
        from games.services.players import BotRules, register_bots

        def open_house(order: SeatOrder) -> Agent:
            return make_brain(order.agent.id, order.bot_seed)

        register_agents(AgentKind.HOUSE, open_house, is_quick=lambda agent: agent.id in QUICK_BRAINS)
        register_agents(AgentKind.VERSION, open_version)
        register_sandbox(lambda: read_sandbox_state().is_safe)
        register_bots(BotRules(agent_of=name_agent, can_enter=may_enter))
