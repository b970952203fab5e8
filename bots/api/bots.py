"""Bots and their versions for authors' programs: registering, uploading, activating, retiring."""

from typing import Any

from django.db.models import QuerySet
from rest_framework.parsers import MultiPartParser
from rest_framework.request import Request
from rest_framework.response import Response

from aurum_league.common.api.access import person_of
from aurum_league.common.api.idempotency import answer_once
from aurum_league.common.api.views import (
    BooleanFilter,
    CharFilter,
    ChoiceFilter,
    FilterSet,
    LeagueList,
    LeagueView,
    operation,
)
from aurum_league.common.errors import LeagueError
from bots.api.serializers import (
    BOT,
    MATCH_NUMBERS,
    VERSION,
    BotChangeFormSerializer,
    BotFormSerializer,
    BotSerializer,
    BotTokenSerializer,
    MatchNumbersSerializer,
    ScrimmageFormSerializer,
    UploadFormSerializer,
    VersionSerializer,
)
from bots.models import Bot, BotMode, BotState, BotVersion
from bots.selectors import (
    find_opponents,
    find_own_bot,
    find_public_bot,
    list_own_bots,
    list_public_bots,
    list_versions,
)
from bots.services.qualify import ask_again, ask_scrimmages, start_qualification
from bots.services.registration import change_bot, register_bot, renew_token, retire_bot
from bots.services.versions import activate_version, add_version
from games.rules.ruleset import Ruleset, RulesetError


class BotFilter(FilterSet):
    mode = ChoiceFilter(choices=BotMode.choices)
    state = ChoiceFilter(choices=BotState.choices)
    author = CharFilter(field_name="player__owner__username", help_text="name of the account")
    mine = BooleanFilter(method="keep_own", help_text="your own, with those that have not qualified yet")

    class Meta:
        model = Bot
        fields = ("mode", "state", "author", "mine")

    def keep_own(self, queryset: QuerySet[Bot], name: str, value: bool) -> QuerySet[Bot]:
        return list_own_bots(person_of(self.request)) if value else queryset


class BotList(LeagueList):
    scope = "bots"
    serializer_class = BotSerializer
    filterset_class = BotFilter
    orderings = ("id", "created_at")

    def get_queryset(self) -> QuerySet[Bot]:
        return list_public_bots()

    @operation(id="list_bots", summary="Bots that play or have played", answer=BotSerializer(many=True), example=BOT)
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        return self.list(request)

    @operation(
        id="register_bot",
        summary="Register a bot",
        answer=BotSerializer,
        example={**BOT, "state": "new", "active_version": None},
        status=201,
        request=BotFormSerializer,
        request_example={"name": "Alchemist", "mode": "uploaded"},
    )
    @answer_once
    def post(self, request: Request) -> Response:
        bot = register_bot(owner=person_of(request), **self.read_body(request, BotFormSerializer))
        return Response(_show(bot, request), status=201)


class BotDetail(LeagueView):
    scope = "bots"

    @operation(id="read_bot", summary="One bot", answer=BotSerializer, example=BOT)
    def get(self, request: Request, slug: str) -> Response:
        return Response(_show(find_public_bot(slug, request.user), request))

    @operation(
        id="change_bot",
        summary="Change what your bot says of itself",
        answer=BotSerializer,
        example=BOT,
        request=BotChangeFormSerializer,
        request_example={"description": "Counts cards.", "allows_scrimmages": True},
        is_once=False,
    )
    def put(self, request: Request, slug: str) -> Response:
        bot = find_own_bot(slug, person_of(request))
        sent = self.read_body(request, BotChangeFormSerializer)
        return Response(_show(change_bot(bot_id=bot.pk, owner=person_of(request), **sent), request))


class BotRetirement(LeagueView):
    scope = "bots"

    @operation(
        id="retire_bot",
        summary="Retire your bot for good",
        answer=BotSerializer,
        example={**BOT, "state": "retired"},
        is_once=True,
    )
    @answer_once
    def post(self, request: Request, slug: str) -> Response:
        bot = find_own_bot(slug, person_of(request))
        return Response(_show(retire_bot(bot_id=bot.pk, owner=person_of(request)), request))


class BotTokens(LeagueView):
    """No Idempotency-Key here: the answer would have to be kept, and a token is not."""

    scope = "bots"

    @operation(
        id="renew_bot_token",
        summary="A new token for your connected bot; the old one is void",
        answer=BotTokenSerializer,
        example={"token": "aurbot_…"},
        status=201,
    )
    def post(self, request: Request, slug: str) -> Response:
        bot = find_own_bot(slug, person_of(request))
        return Response({"token": renew_token(bot_id=bot.pk, owner=person_of(request))}, status=201)


class BotQualification(LeagueView):
    scope = "bots"

    @operation(
        id="qualify_bot",
        summary="Start the check of your connected bot, which should listen on its stream",
        answer=MatchNumbersSerializer,
        example=MATCH_NUMBERS,
        status=201,
        is_once=True,
    )
    @answer_once
    def post(self, request: Request, slug: str) -> Response:
        bot = find_own_bot(slug, person_of(request))
        return Response({"matches": start_qualification(bot_id=bot.pk, owner=person_of(request))}, status=201)


class BotScrimmages(LeagueView):
    scope = "bots"

    @operation(
        id="ask_scrimmages",
        summary="Ask for unrated matches of your bot",
        description="The matches are then found under /matches?kind=scrimmage by those who hold a seat.",
        answer=MatchNumbersSerializer,
        example=MATCH_NUMBERS,
        status=201,
        request=ScrimmageFormSerializer,
        request_example={"ruleset": "en3", "others": ["house-greedy", "house-random"], "matches": 3},
    )
    @answer_once
    def post(self, request: Request, slug: str) -> Response:
        bot = find_own_bot(slug, person_of(request))
        sent = self.read_body(request, ScrimmageFormSerializer)
        try:
            ruleset = Ruleset.from_code(sent["ruleset"])
        except RulesetError as error:
            raise LeagueError("unknown_ruleset", error.sentence) from None
        others = find_opponents(sent["others"])
        ids = ask_scrimmages(
            bot_id=bot.pk, owner=person_of(request), ruleset=ruleset, others=others, matches=sent["matches"]
        )
        return Response({"matches": ids}, status=201)


def _show(bot: Bot, request: Request) -> dict[str, Any]:
    return BotSerializer(bot, context={"request": request}).data


class BotVersions(LeagueList):
    scope = "bots"
    serializer_class = VersionSerializer
    filter_backends = ()
    parser_classes = (MultiPartParser,)
    orderings = ("number",)

    def get_queryset(self) -> QuerySet[BotVersion]:
        bot = find_public_bot(self.kwargs["slug"], self.request.user)
        return list_versions(bot, self.request.user).select_related("bot__player")

    @operation(
        id="list_versions",
        summary="Versions of a bot; those that are not qualified, notes and reports are its author's",
        answer=VersionSerializer(many=True),
        example=VERSION,
    )
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        return self.list(request)

    @operation(
        id="add_version",
        summary="Upload a version of your bot",
        description="It is checked soon after; look at its `state` and `report`. Sent as multipart/form-data.",
        answer=VersionSerializer,
        example={**VERSION, "state": "new", "report": {}, "checked_at": None},
        status=201,
        request={"multipart/form-data": UploadFormSerializer},
    )
    @answer_once
    def post(self, request: Request, slug: str) -> Response:
        bot = find_own_bot(slug, person_of(request))
        sent = self.read_body(request, UploadFormSerializer)
        upload = sent["upload"].read()
        version = add_version(bot_id=bot.pk, owner=person_of(request), upload=upload, note=sent["note"])
        return Response(VersionSerializer(version, context={"request": request}).data, status=201)


class VersionActivation(LeagueView):
    scope = "bots"

    @operation(
        id="activate_version",
        summary="Let a qualified version play from now on",
        answer=BotSerializer,
        example=BOT,
        is_once=True,
    )
    @answer_once
    def post(self, request: Request, slug: str, number: int) -> Response:
        bot = find_own_bot(slug, person_of(request))
        activated = activate_version(bot_id=bot.pk, owner=person_of(request), number=number)
        return Response(BotSerializer(activated, context={"request": request}).data)


class VersionCheck(LeagueView):
    scope = "bots"

    @operation(
        id="check_version",
        summary="Ask for the check of a version again",
        answer=VersionSerializer,
        example=VERSION,
        is_once=True,
    )
    @answer_once
    def post(self, request: Request, slug: str, number: int) -> Response:
        bot = find_own_bot(slug, person_of(request))
        version = ask_again(bot_id=bot.pk, owner=person_of(request), number=number)
        return Response(VersionSerializer(version, context={"request": request}).data)
