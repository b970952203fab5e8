"""Addresses of matches and of the rules."""

from django.urls import path

from games.pages import matches, rules

urlpatterns = [
    path("matches/<int:match_id>/", matches.show_match, name="match"),
    path("matches/<int:match_id>/step/", matches.show_step, name="match_step"),
    path("matches/<int:match_id>/table/", matches.show_running, name="match_table"),
    path("matches/<int:match_id>/record.json", matches.download_record, name="match_record"),
    path("matches/<int:match_id>/transcript.txt", matches.download_transcript, name="match_transcript"),
    path("rules/", rules.show_rules, name="rules"),
    path("rules/editions/", rules.show_editions, name="rules_editions"),
    path("rules/fairness/", rules.show_fairness, name="rules_fairness"),
    path("rules/card/", rules.choose_card, name="rules_cards"),
    path("rules/card/<str:code>/", rules.show_card, name="rules_card"),
]
