// Whether things may move on the page: not when the system or the switch in the footer asks for stillness, or nobody looks.

export const still = () =>
  document.documentElement.dataset.motion === "off" || document.hidden || matchMedia("(prefers-reduced-motion: reduce)").matches;
