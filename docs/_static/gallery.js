// Cards of the gallery: the picture moves below the pointer, and a button copies the command of the scene.
document.addEventListener("DOMContentLoaded", () => {
  const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
  for (const card of document.querySelectorAll(".gallery .card")) {
    const image = card.querySelector("img");
    const still = image.getAttribute("src");
    const show = (source) => { if (image.getAttribute("src") !== source) image.src = source; };
    if (!calm) {
      card.addEventListener("pointerenter", () => show(image.dataset.loop));
      card.addEventListener("pointerleave", () => show(still));
      image.addEventListener("error", () => show(still));
    }
    const button = card.querySelector("button");
    button.addEventListener("click", async () => {
      await navigator.clipboard.writeText(button.dataset.command);
      button.textContent = "Copied";
      setTimeout(() => { button.textContent = "Copy command"; }, 1500);
    });
  }
});
