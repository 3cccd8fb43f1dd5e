// Cards of the gallery: the picture moves below the pointer, and a button copies the command of the scene.

// Also where a page has no clipboard, as in files that are opened from a disk.
function copy(text) {
  const area = document.createElement("textarea");
  area.value = text;
  document.body.append(area);
  area.select();
  document.execCommand("copy");
  area.remove();
}

document.addEventListener("DOMContentLoaded", () => {
  const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
  for (const card of document.querySelectorAll(".gallery .card")) {
    const image = card.querySelector("img");
    const still = image.getAttribute("src");
    const show = (source) => { if (image.getAttribute("src") !== source) image.src = source; };
    if (!calm && image.dataset.loop) {
      card.addEventListener("pointerenter", () => show(image.dataset.loop));
      card.addEventListener("pointerleave", () => show(still));
    }
    const button = card.querySelector("button");
    button.addEventListener("click", () => {
      copy(button.dataset.command);
      button.textContent = "Copied";
      setTimeout(() => { button.textContent = "Copy command"; }, 1500);
    });
  }
});
