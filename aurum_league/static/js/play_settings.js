// What one chooses for one's own table, and finds again: pace, sound, order of the hand, what decides itself.

// A sound is fetched by whoever has turned them on, and a table without it plays on.
export function playSound(name) {
  if (!Number(localStorage.getItem("play-volume") ?? 0)) return;
  import("./table_sound.js").then(({ sound }) => sound(name), () => {});
}

const part = (id) => document.getElementById(id);

const BOXES = { "keep-on": sessionStorage, "only-card": localStorage, "ask-always": localStorage };

export function readSettings(redraw) {
  const pace = part("pace");
  const volume = part("volume");
  const order = part("order");
  pace.value = localStorage.getItem("play-pace") ?? "800";
  volume.value = localStorage.getItem("play-volume") ?? "0";
  order.value = localStorage.getItem("play-order") ?? "suit";
  for (const [id, store] of Object.entries(BOXES)) {
    part(id).checked = store.getItem(`play-${id}`) === "on";
    part(id).addEventListener("change", () => store.setItem(`play-${id}`, part(id).checked ? "on" : "off"));
  }
  for (const choice of [pace, volume, order]) {
    choice.addEventListener("change", () => {
      localStorage.setItem(`play-${choice.id}`, choice.value);
      if (choice === order) redraw();
    });
  }
  return {
    get order() {
      return order.value;
    },
  };
}
