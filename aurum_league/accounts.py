"""The page on which people see and change their own account."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import User
from django.forms import ModelForm
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _


class ProfileForm(ModelForm):
    class Meta:
        model = User
        fields = ("first_name", "last_name")


@login_required
def profile(request: HttpRequest) -> HttpResponse:
    form = ProfileForm(request.POST or None, instance=request.user)
    if request.method == "POST" and form.is_valid():
        form.save()
        messages.success(request, _("Your profile is saved."))
        return redirect("profile")
    roles = list(request.user.groups.order_by("name").values_list("name", flat=True))
    return render(request, "account/profile.html", {"form": form, "roles": roles})
