// Keeps the page of arguments and every game that was once loaded, so that it works without a network.
"use strict";
const NAME = "truco-who-", CACHE = `${NAME}EDITION`, KEPT = [KEPT];
const ours = (url) => url.origin === self.location.origin && /\/(who[^/]*|modules\/[^/]+)$/.test(url.pathname);

self.addEventListener("install", (event) => {
  event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(KEPT.map((one) => new Request(one, { cache: "reload" })))).then(() => self.skipWaiting()));
});
self.addEventListener("activate", (event) => {
  const old = (names) => Promise.all(names.filter((name) => name.startsWith(NAME) && name !== CACHE).map((name) => caches.delete(name)));
  event.waitUntil(caches.keys().then(old).then(() => self.clients.claim()));
});
self.addEventListener("fetch", (event) => {
  const url = new URL(event.request.url);
  if (event.request.method !== "GET" || !ours(url)) return;
  event.respondWith((async () => {
    const cache = await caches.open(CACHE), kept = await cache.match(event.request, { ignoreSearch: true });
    if (kept) return kept;
    const answer = await fetch(event.request);
    if (answer.ok) await cache.put(event.request, answer.clone());
    return answer;
  })());
});
