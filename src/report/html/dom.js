"use strict";
/* What all pages share: elements, and light and dark. */

const element = (name, options = {}, ...children) => {
  const { cls, ...rest } = options;
  const made = document.createElement(name);
  if (cls)
    made.className = cls;
  for (const [key, value] of Object.entries(rest))
    if (key in made)
      made[key] = value;
    else
      made.setAttribute(key, value);
  made.append(...children);
  return made;
};

const drawing = (name, attributes, ...children) => {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes))
    made.setAttribute(key, value);
  made.append(...children);
  return made;
};

const isDark = () => (document.documentElement.dataset.theme
  || (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light")) === "dark";

const switchTheme = () => { document.documentElement.dataset.theme = isDark() ? "light" : "dark"; };

const shortNumber = (n) => n >= 1e6 ? `${(n / 1e6).toFixed(1)} M` : n >= 1e4 ? `${(n / 1e3).toFixed(1)} k` : String(Math.round(n));
