// ReDoc shows its maker's mark from a host of theirs; nothing here is loaded from elsewhere.
const images = HTMLImageElement.prototype;
const source = Object.getOwnPropertyDescriptor(images, "src");
const isOwn = (address) => String(address).startsWith("data:") || new URL(address, location).origin === location.origin;

images.setAttribute = function (name, value) {
  if (name !== "src" || isOwn(value)) Element.prototype.setAttribute.call(this, name, value);
};
Object.defineProperty(images, "src", {
  ...source,
  set(value) {
    if (isOwn(value)) source.set.call(this, value);
  },
});
