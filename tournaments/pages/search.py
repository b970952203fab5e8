"""Search over leagues, tournaments and players."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from tournaments.selectors.search import LONGEST_QUERY, search_names

MOST_FOUND = 20


@require_safe
def show_search(request: HttpRequest) -> HttpResponse:
    query = request.GET.get("q", "").strip()
    context = {"query": query[:LONGEST_QUERY], "found": search_names(query, MOST_FOUND), "longest": LONGEST_QUERY}
    return render(request, "search/search.html", context)
