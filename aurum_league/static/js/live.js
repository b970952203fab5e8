// An element with data-live="/live/…" gets the event "live" for htmx when something has changed there.
const PAUSE_MS = 700;

function follow(element) {
  const source = new EventSource(element.dataset.live);
  let timer = null;
  source.onmessage = () => {
    timer ??= setTimeout(() => {
      timer = null;
      if (element.isConnected) htmx.trigger(element, "live");
      else source.close();
    }, PAUSE_MS);
  };
}

for (const element of document.querySelectorAll("[data-live]")) follow(element);
