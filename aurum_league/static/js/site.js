// Theme switch, menus that close, toasts that go away, tabs that show the current one. Every page works without it.
const root = document.documentElement;
const nextTheme = { auto: "light", light: "dark", dark: "auto" };

function showTheme(button) {
  const theme = root.dataset.theme ?? "auto";
  const label = button.dataset[theme];
  button.setAttribute("aria-label", label);
  button.title = label;
}

function switchTheme(button) {
  const theme = nextTheme[root.dataset.theme ?? "auto"];
  if (theme === "auto") {
    delete root.dataset.theme;
    localStorage.removeItem("theme");
  } else {
    root.dataset.theme = theme;
    localStorage.setItem("theme", theme);
  }
  showTheme(button);
}

for (const button of document.querySelectorAll("[data-theme-switch]")) {
  button.hidden = false;
  showTheme(button);
  button.addEventListener("click", () => switchTheme(button));
}

// On a phone the row of tabs is wider than the screen.
for (const tab of document.querySelectorAll(".tabs [aria-current]")) {
  const row = tab.parentElement;
  row.scrollLeft += tab.getBoundingClientRect().right - row.getBoundingClientRect().right + tab.offsetWidth / 2;
}

document.addEventListener("click", (event) => {
  event.target.closest("[data-dismiss]")?.closest(".toast")?.remove();
  for (const menu of document.querySelectorAll("details.menu[open]")) {
    if (!menu.contains(event.target)) menu.open = false;
  }
});

document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape") return;
  for (const menu of document.querySelectorAll("details.menu[open]")) {
    menu.open = false;
    menu.querySelector("summary").focus();
  }
});

// A time of an event stands in the event's zone; where the reader's clock shows another, it is added.
function showOwnTimes(within) {
  const own = Intl.DateTimeFormat().resolvedOptions().timeZone;
  for (const time of within.querySelectorAll("time[data-zone]:not([data-shown])")) {
    time.dataset.shown = "";
    const at = new Date(time.dateTime);
    const style = { dateStyle: "medium", timeStyle: "short" };
    const language = root.lang === "en" ? "en-GB" : root.lang; // As the site writes days.
    const say = (timeZone) => at.toLocaleString(language, { timeZone, ...style });
    if (say(own) === say(time.dataset.zone)) continue;
    const added = document.createElement("small");
    added.textContent = ` · ${say(own)} ${time.dataset.yours}`;
    time.append(added);
  }
}

showOwnTimes(document);
document.addEventListener("htmx:afterSwap", (event) => showOwnTimes(event.target));

if ("serviceWorker" in navigator && isSecureContext) navigator.serviceWorker.register("/sw.js");

// A button that copies a field; shown only where the browser lets pages write to the clipboard.
for (const button of document.querySelectorAll("[data-copy]")) {
  button.hidden = !navigator.clipboard;
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(document.getElementById(button.dataset.copy).value);
    button.textContent = button.dataset.copied;
  });
}
