// Runs before the first paint, so that a stored theme never flashes the other one.
(() => {
  const stored = localStorage.getItem("theme");
  if (stored === "light" || stored === "dark") document.documentElement.dataset.theme = stored;
})();
