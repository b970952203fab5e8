// A score sheet: tapping players in order gives them their places, and tapping one again takes it back.
const rows = [...document.querySelectorAll("[data-place]")].map((row) => ({
  button: row.querySelector("button"),
  field: row.querySelector("input"),
}));

for (const { button, field } of rows) {
  button.addEventListener("click", () => {
    const given = rows.map((row) => Number(row.field.value)).filter(Boolean);
    field.value = field.value ? "" : String(1 + given.length);
  });
}
