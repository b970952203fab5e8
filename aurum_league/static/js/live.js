// An element with data-live="/live/…" shows the newest part that its stream sends; where the stream only says
// that something changed, it gets the event "live", on which htmx asks for the part.
const PAUSE_MS = 400;

function follow(element) {
  const source = new EventSource(element.dataset.live);
  let asked = 0;
  let timer = null;

  function ask() {
    timer = null;
    asked = Date.now();
    htmx.trigger(element, "live");
  }

  source.onmessage = (event) => {
    if (!element.isConnected) return source.close();
    const { html } = JSON.parse(event.data);
    if (html) htmx.swap(element, html, { swapStyle: "innerHTML" });
    else timer ??= setTimeout(ask, Math.max(0, asked + PAUSE_MS - Date.now()));
  };
}

for (const element of document.querySelectorAll("[data-live]")) follow(element);
