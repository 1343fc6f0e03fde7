"use strict";
(() => {
  const each = 50;
  const all = [...document.querySelectorAll("article")];
  const texts = all.map((one) => one.textContent.toLowerCase());
  const at = (id) => document.getElementById(id);
  let page = 0;
  const show = () => {
    const words = at("query").value.toLowerCase().split(/\s+/).filter(Boolean);
    const verdict = at("verdict").value;
    let chosen = all.filter((one, place) =>
      (!verdict || one.dataset.verdict === verdict) && words.every((word) => texts[place].includes(word)));
    if (at("order").value === "rank") {
      chosen = [...chosen].sort((one, other) => one.dataset.rank - other.dataset.rank);
    }
    const pages = Math.max(1, Math.ceil(chosen.length / each));
    page = Math.min(Math.max(page, 0), pages - 1);
    for (const one of all) one.hidden = true;
    const last = document.querySelector("script");
    for (const one of chosen.slice(page * each, (page + 1) * each)) {
      one.hidden = false;
      last.before(one);
    }
    at("where").textContent = `page ${page + 1} of ${pages}, ${chosen.length} items`;
  };
  const from = (start) => { page = start; show(); };
  at("query").addEventListener("input", () => from(0));
  at("verdict").addEventListener("change", () => from(0));
  at("order").addEventListener("change", () => from(0));
  at("before").addEventListener("click", () => from(page - 1));
  at("after").addEventListener("click", () => from(page + 1));
  document.querySelector(".controls").hidden = false;
  show();
})();
