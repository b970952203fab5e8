// The service worker: keeps the shell, says when there is no connection, and shows what the site has to tell.
// The site puts two lines before this: KEPT, the name of this version's store, and SHELL, what is kept in it.

self.addEventListener("install", (event) => {
  event.waitUntil(
    caches
      .open(KEPT)
      .then((cache) => cache.addAll(SHELL))
      .then(() => self.skipWaiting()),
  );
});

self.addEventListener("activate", (event) => {
  const forget = async () => {
    for (const name of await caches.keys()) if (name !== KEPT) await caches.delete(name);
    await self.clients.claim();
  };
  event.waitUntil(forget());
});

// The site comes first, so that nobody sees yesterday's script on today's page; what is kept is for when it is away.
async function answerFile(request) {
  const cache = await caches.open(KEPT);
  try {
    const fresh = await fetch(request);
    if (fresh.ok) cache.put(request, fresh.clone());
    return fresh;
  } catch (error) {
    const kept = await cache.match(request);
    if (kept) return kept;
    throw error;
  }
}

async function answerPage(request) {
  try {
    return await fetch(request);
  } catch (error) {
    const page = await caches.match(SHELL[0]);
    if (page) return page;
    throw error;
  }
}

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== "GET" || url.origin !== location.origin) return;
  if (url.pathname.startsWith("/static/")) event.respondWith(answerFile(request));
  else if (request.mode === "navigate") event.respondWith(answerPage(request));
});

self.addEventListener("push", (event) => {
  const { title, body, url, kind } = event.data.json();
  const icon = "/static/icons/icon-192.png";
  event.waitUntil(self.registration.showNotification(title, { body, icon, tag: `${kind} ${url}`, data: { url } }));
});

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  const { url } = event.notification.data;
  const open = async () => {
    const pages = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
    const page = pages.find((client) => new URL(client.url).pathname === url);
    await (page ? page.focus() : self.clients.openWindow(url));
  };
  event.waitUntil(open());
});
