// Company at the table: who is here, what they say as bubbles at their seats, how many watch, and a time to meet.
import { make, nameOf, say, words } from "./table_draw.js";

const ASK_MS = 15000;
const BUBBLE_MS = 6000;
const part = (id) => document.getElementById(id);
const root = document.querySelector(".table-screen");
const muted = () => new Set(JSON.parse(localStorage.getItem("play-muted") ?? "[]"));

// `shown` gives the table as it is drawn, `tell` says a sentence once to screen readers.
export function keepCompany({ shown, tell, refuse }) {
  let since = null;
  let known = "";

  async function ask() {
    try {
      const answer = await fetch(`${root.dataset.companyUrl}?since=${since ?? 0}`);
      if (answer.ok) draw(await answer.json());
    } catch {
      // The table itself says that the connection is lost.
    }
  }

  function draw({ words: said, here, watchers, meeting }) {
    const isFirst = since === null;
    for (const word of said) {
      since = Math.max(since ?? 0, word.id);
      if (!isFirst || Date.now() - Date.parse(word.said_at) < BUBBLE_MS) showWord(word);
    }
    since ??= 0;
    for (const place of root.querySelectorAll(".seat")) place.classList.toggle("is-here", here.includes(Number(place.dataset.seat)));
    const count = part("watchers");
    if (count) {
      count.hidden = !watchers;
      count.textContent = say("watchers", { count: watchers });
    }
    drawMeeting(meeting);
  }

  function showWord({ seat, text }) {
    const who = shown().seats[seat];
    const isOwn = seat === shown().seat;
    if (!isOwn && (part("mute-all")?.checked || muted().has(who.slug))) return;
    const place = root.querySelector(`.seat[data-seat="${seat}"]`);
    place?.querySelector(".bubble")?.remove();
    const bubble = make("p", { class: "bubble", "aria-hidden": "true" }, text);
    place?.append(bubble);
    setTimeout(() => bubble.remove(), BUBBLE_MS);
    if (!isOwn) tell(`${nameOf(shown(), seat)}: ${text}`);
  }

  function drawMeeting(meeting) {
    const box = part("meeting");
    if (!box) return;
    const isOpen = shown().state === "open";
    box.hidden = !isOpen;
    const state = JSON.stringify([isOpen, meeting]);
    if (!isOpen || state === known) return;
    known = state;
    const line = part("meeting-said");
    if (!meeting) return void (line.textContent = words.no_meeting);
    const { starts_at: startsAt, proposed_by: by, agreed, is_agreed: isAgreed } = meeting;
    const time = new Date(startsAt).toLocaleString(document.documentElement.lang, { dateStyle: "medium", timeStyle: "short" });
    line.textContent = isAgreed ? say("meeting_agreed", { time }) : say("meeting_proposed", { name: nameOf(shown(), by), time });
    const accept = part("meeting-accept");
    accept.hidden = agreed.includes(shown().seat);
    accept.value = startsAt;
    part("meeting-file").hidden = !agreed.includes(shown().seat);
  }

  async function send(url, fields) {
    const answer = await fetch(url, { method: "POST", body: new URLSearchParams(fields), headers: { "X-CSRFToken": root.dataset.token } }).catch(() => null);
    if (answer && !answer.ok) refuse((await answer.json()).message);
    await ask();
  }

  function listMutes() {
    const others = shown().seats.filter(({ kind, seat }) => kind === "person" && seat !== shown().seat);
    const boxes = others.map(({ player, slug }) => {
      const input = make("input", { type: "checkbox", checked: muted().has(slug) });
      input.addEventListener("change", () => {
        const all = muted();
        if (input.checked) all.add(slug);
        else all.delete(slug);
        localStorage.setItem("play-muted", JSON.stringify([...all]));
      });
      return make("label", {}, input, say("mute", { name: player }));
    });
    part("mutes").replaceChildren(...boxes);
  }

  if (part("talk")) {
    part("talk").addEventListener("click", (event) => {
      const phrase = event.target.closest("[data-phrase]")?.dataset.phrase;
      if (!phrase) return;
      part("talk").open = false;
      send(root.dataset.sayUrl, { phrase });
    });
    part("talk-form")?.addEventListener("submit", (event) => {
      event.preventDefault();
      const field = event.target.elements.text;
      if (field.value.trim()) send(root.dataset.sayUrl, { text: field.value });
      field.value = "";
    });
    part("mute-all").checked = localStorage.getItem("play-mute-all") === "on";
    part("mute-all").addEventListener("change", () => localStorage.setItem("play-mute-all", part("mute-all").checked ? "on" : "off"));
    part("meeting-accept")?.addEventListener("click", (event) => send(root.dataset.meetingUrl, { accept: "1", starts_at: event.target.value }));
    part("meeting-form")?.addEventListener("submit", (event) => {
      event.preventDefault();
      const time = new Date(event.target.elements.time.value);
      if (!Number.isNaN(time.valueOf())) send(root.dataset.meetingUrl, { starts_at: time.toISOString() });
    });
    listMutes();
  }
  ask();
  setInterval(() => document.hidden || ask(), ASK_MS);
  return { hear: ({ talk }) => talk !== undefined && (talk === 0 || talk > (since ?? 0)) && ask() };
}
