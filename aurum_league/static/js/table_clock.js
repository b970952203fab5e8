// The clocks of those who are awaited: a ring round their name that empties, and numbers beside it.
import { say } from "./table_draw.js";

const HOUR = 3600;
const two = (number) => String(number).padStart(2, "0");

function sayTime(seconds) {
  if (seconds >= 48 * HOUR) return say("days", { count: Math.floor(seconds / (24 * HOUR)) });
  const minutes = Math.floor(seconds / 60) % 60;
  if (seconds >= HOUR) return say("hours", { time: `${Math.floor(seconds / HOUR)}:${two(minutes)}` });
  return `${minutes}:${two(seconds % 60)}`;
}

// `offset`: how far the server's clock is ahead of this device's, in milliseconds.
export function showClocks(root, { deadline, awaited, clock, banks }, offset) {
  for (const line of root.querySelectorAll("[data-clock]")) {
    const seat = line.dataset.clock;
    const isRunning = Boolean(deadline) && awaited.includes(Number(seat));
    const seconds = isRunning ? Math.max(0, Math.round((Date.parse(deadline) - Date.now() - offset) / 1000)) : 0;
    const whole = clock?.each ?? Math.max(clock?.bank ?? 0, banks?.[seat] ?? 0);
    const place = line.closest(".seat");
    const text = isRunning ? say("time_left", { time: sayTime(seconds) }) : "";
    if (line.textContent !== text) line.textContent = text;
    place?.querySelector(".clock-ring")?.style.setProperty("--left", isRunning && whole ? Math.min(1, seconds / whole).toFixed(3) : 0);
    place?.classList.toggle("is-short", isRunning && seconds < 60);
  }
}
