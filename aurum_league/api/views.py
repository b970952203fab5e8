"""The API's own views: the account a token speaks for, where to begin, the schema, and addresses that do not exist."""

from typing import Any

from csp.constants import UNSAFE_INLINE
from csp.decorators import csp_update
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe
from rest_framework import serializers
from rest_framework.exceptions import NotFound
from rest_framework.request import Request
from rest_framework.response import Response

from aurum_league.common.api.access import SCOPES, person_of
from aurum_league.common.api.views import LeagueList, LeagueView, operation
from aurum_league.common.telling import list_notices, mark_read, read_push_key, say_notice, subscribe, unsubscribe
from aurum_league.models import Notice
from games.selectors.matches import list_players

EXAMPLE = {
    "username": "agnes",
    "first_name": "Agnes",
    "last_name": "",
    "roles": ["organiser"],
    "players": ["agnes", "alchemist"],
    "scopes": ["read", "play"],
}


class AccountFormSerializer(serializers.Serializer):
    first_name = serializers.CharField(max_length=150, allow_blank=True)
    last_name = serializers.CharField(max_length=150, allow_blank=True)


class AccountSerializer(serializers.ModelSerializer):
    roles = serializers.SerializerMethodField()
    players = serializers.SerializerMethodField(help_text="slugs of the players that are its own")
    scopes = serializers.SerializerMethodField(help_text="of the token that asks; all of them in a browser")

    class Meta:
        model = User
        fields = ("username", "first_name", "last_name", "roles", "players", "scopes")
        read_only_fields = fields

    def get_roles(self, user: User) -> list[str]:
        return list(user.groups.order_by("name").values_list("name", flat=True))

    def get_players(self, user: User) -> list[str]:
        return list(list_players().filter(owner=user).order_by("slug").values_list("slug", flat=True))

    def get_scopes(self, user: User) -> list[str]:
        return list(getattr(self.context["request"].auth, "scopes", SCOPES))


class Account(LeagueView):
    is_private = True
    scope = "play"

    @operation(id="read_account", summary="The account of your token", answer=AccountSerializer, example=EXAMPLE)
    def get(self, request: Request) -> Response:
        return Response(_show(person_of(request), request))

    @operation(
        id="change_account",
        summary="Change the names on your account",
        answer=AccountSerializer,
        example=EXAMPLE,
        request=AccountFormSerializer,
        request_example={"first_name": "Agnes", "last_name": ""},
        is_once=False,
    )
    def put(self, request: Request) -> Response:
        user = person_of(request)
        for name, value in self.read_body(request, AccountFormSerializer).items():
            setattr(user, name, value)
        user.save(update_fields=("first_name", "last_name"))
        return Response(_show(user, request))


class NoticeSerializer(serializers.ModelSerializer):
    """What somebody was told, in the language of the request."""

    subject = serializers.SerializerMethodField()
    text = serializers.SerializerMethodField()

    class Meta:
        model = Notice
        fields = ("id", "kind", "subject", "text", "url", "told_at", "read_at")
        read_only_fields = fields

    def get_subject(self, notice: Notice) -> str:
        return say_notice(notice)[0]

    def get_text(self, notice: Notice) -> str:
        return say_notice(notice)[1]


class NoticesReadSerializer(serializers.Serializer):
    read = serializers.IntegerField(help_text="how many were new")


class PushFormSerializer(serializers.Serializer):
    endpoint = serializers.CharField(max_length=500, help_text="as the browser's subscription names it")
    p256dh = serializers.CharField(max_length=100, help_text="not needed to unsubscribe", default="")
    auth = serializers.CharField(max_length=30, help_text="not needed to unsubscribe", default="")
    is_off = serializers.BooleanField(default=False, help_text="unsubscribe")


class PushSerializer(serializers.Serializer):
    key = serializers.CharField(read_only=True, help_text="the site's public key, for a browser that subscribes")
    subscriptions = serializers.IntegerField(read_only=True, help_text="browsers of yours that are told")


PUSH_EXAMPLE = {
    "key": "BNcRdreALRFXTkOOUHK1EtK2wtaz5Ry4YfYCA_0QTpQtUbVlUls0VJXg7A8u-Ts1XbjhazAkj7I99e8QcYP7DkM",
    "subscriptions": 1,
}
PUSH_REQUEST = {
    "endpoint": "https://updates.push.services.mozilla.com/wpush/v2/gAAAA",
    "p256dh": "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
    "auth": "BTBZMqHH6r4Tts7J_aSIgg",
}


class Push(LeagueView):
    is_private = True
    scope = "play"

    @operation(id="read_push", summary="What a browser needs to be told", answer=PushSerializer, example=PUSH_EXAMPLE)
    def get(self, request: Request) -> Response:
        return Response(_show_push(person_of(request)))

    @operation(
        id="change_push",
        summary="Have a browser told what you are told, or no longer",
        answer=PushSerializer,
        example=PUSH_EXAMPLE,
        request=PushFormSerializer,
        request_example=PUSH_REQUEST,
        is_once=False,
    )
    def post(self, request: Request) -> Response:
        user, sent = person_of(request), self.read_body(request, PushFormSerializer)
        if sent.pop("is_off"):
            unsubscribe(user=user, endpoint=sent["endpoint"])
        else:
            subscribe(user=user, **sent)
        return Response(_show_push(user))


def _show_push(user: User) -> dict[str, Any]:
    return {"key": read_push_key(), "subscriptions": user.push_subscriptions.count()}


NOTICE_EXAMPLE = {
    "id": 7,
    "kind": "fresh_match",
    "subject": "A match of yours is played anew",
    "text": "Autumn Cup, table 3: the organiser has ordered a new match on fresh deals.",
    "url": "/play/12/",
    "told_at": "2026-11-16T18:00:00Z",
    "read_at": None,
}


class Notices(LeagueList):
    is_private = True
    scope = "play"
    serializer_class = NoticeSerializer
    queryset = Notice.objects.none()
    orderings = ("-id",)

    @operation(
        id="list_notices",
        summary="What you were told, newest first",
        answer=NoticeSerializer(many=True),
        example=NOTICE_EXAMPLE,
    )
    def get(self, request: Request) -> Response:
        return self.show_page(list_notices(person_of(request)))

    @operation(
        id="read_notices",
        summary="Mark everything you were told as read",
        answer=NoticesReadSerializer,
        example={"read": 3},
        is_once=False,
    )
    def post(self, request: Request) -> Response:
        return Response({"read": mark_read(person_of(request))})


def _show(user: User, request: Request) -> dict[str, Any]:
    return AccountSerializer(user, context={"request": request}).data


@require_safe
def welcome(request: HttpRequest) -> HttpResponse:
    return render(request, "api/welcome.html")


# Both lay out with inline styles; neither needs a script of anybody else's.
@require_safe
@csp_update({"style-src": [UNSAFE_INLINE]})
def swagger(request: HttpRequest) -> HttpResponse:
    return render(request, "api/swagger.html")


@require_safe
@csp_update({"style-src": [UNSAFE_INLINE], "worker-src": ["blob:"]})
def redoc(request: HttpRequest) -> HttpResponse:
    return render(request, "api/redoc.html")


class UnknownAddress(LeagueView):
    schema = None
    permission_classes = ()

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        raise NotFound("There is nothing at this address.")
