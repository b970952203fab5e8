// Nothing is drawn anew under a finger: a card replaced between press and release would swallow the click or the drag.

export function watchHold(felt) {
  let held = Promise.resolve();
  let release = () => {};
  let isDragged = false;
  const letGo = () => {
    isDragged = false;
    setTimeout(release); // the click comes after the release of the pointer
  };
  felt.addEventListener("pointerdown", () => {
    release();
    held = new Promise((resolve) => (release = resolve));
  });
  felt.addEventListener("dragstart", () => (isDragged = true));
  for (const end of ["pointerup", "dragend", "blur"]) addEventListener(end, letGo);
  addEventListener("pointercancel", () => isDragged || letGo()); // a drag cancels the pointer, and so does scrolling
  return () => held;
}
