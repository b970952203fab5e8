// The switch by which this browser is told what happens, also while no page is open.
const box = document.querySelector("[data-push]");

function decode(text) {
  const plain = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(plain, (letter) => letter.charCodeAt(0));
}

async function send(subscription, isOff) {
  const { endpoint, keys } = subscription.toJSON();
  const body = new URLSearchParams({ endpoint, p256dh: keys.p256dh, auth: keys.auth, is_off: isOff ? "1" : "" });
  const answer = await fetch(box.dataset.push, { method: "POST", body, headers: { "X-CSRFToken": box.dataset.token } });
  if (!answer.ok) throw new Error((await answer.json()).message);
}

async function change(input, status) {
  const worker = await navigator.serviceWorker.ready;
  try {
    if (input.checked) {
      if ((await Notification.requestPermission()) !== "granted") throw new Error(box.dataset.denied);
      await send(await worker.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: decode(box.dataset.key) }), false);
    } else {
      const subscription = await worker.pushManager.getSubscription();
      if (subscription) await send(subscription, true);
      await subscription?.unsubscribe();
    }
    status.textContent = "";
  } catch (error) {
    input.checked = !input.checked;
    status.textContent = error.message || box.dataset.denied;
  }
}

if (box && "serviceWorker" in navigator && "PushManager" in window) {
  const input = box.querySelector("input");
  box.hidden = false;
  navigator.serviceWorker.ready
    .then((worker) => worker.pushManager.getSubscription())
    .then((subscription) => (input.checked = Boolean(subscription)));
  input.addEventListener("change", () => change(input, box.querySelector("[role=status]")));
}
