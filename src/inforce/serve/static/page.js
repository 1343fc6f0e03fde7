// What the pages do better with a script; everything works without one.
"use strict";

const DAY = 86_400_000;
const GO = { h: "/", v: "/verify", l: "/laws", c: "/corpus", r: "/runs" };

// Keyboard: / to the question, j and k through the results, g then h, v, l, c, r to the pages.
let going = false;
document.addEventListener("keydown", (event) => {
  const typing = event.target.closest("input, textarea, select, [contenteditable]");
  if (typing || event.ctrlKey || event.metaKey || event.altKey) return;
  if (going && GO[event.key]) {
    location.assign(GO[event.key]);
  } else if (event.key === "/") {
    const field = document.querySelector("#question, #q, #law");
    if (field) { event.preventDefault(); field.focus(); }
  } else if (event.key === "j" || event.key === "k") {
    const items = [...document.querySelectorAll(".item")];
    const at = items.findIndex((item) => item.contains(document.activeElement));
    const next = items[at === -1 && event.key === "j" ? 0 : at + (event.key === "j" ? 1 : -1)];
    if (next) { next.focus(); next.scrollIntoView({ block: "nearest" }); }
  }
  going = event.key === "g";
});

for (const button of document.querySelectorAll("[data-print]")) {
  button.addEventListener("click", () => print());
}

document.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-copy]");
  if (!button) return;
  await navigator.clipboard.writeText(document.getElementById(button.dataset.copy).textContent);
  button.classList.add("same");
});

// A document that is dropped anywhere on its page is checked at once.
const upload = document.getElementById("upload");
if (upload) {
  const drop = upload.querySelector(".drop");
  document.addEventListener("dragover", (event) => { event.preventDefault(); drop.classList.add("over"); });
  document.addEventListener("dragleave", () => drop.classList.remove("over"));
  document.addEventListener("drop", (event) => {
    event.preventDefault();
    drop.classList.remove("over");
    if (!event.dataTransfer.files.length) return;
    upload.file.files = event.dataTransfer.files;
    upload.requestSubmit();
  });
}

// The timeline: drag to a day, and the text of that day is shown.
const timeline = document.getElementById("timeline");
if (timeline) {
  const drag = document.getElementById("drag");
  const shown = document.getElementById("dragged");
  const first = Date.parse(`${timeline.dataset.first}T00:00:00Z`);
  const day = () => new Date(first + drag.value * DAY).toISOString().slice(0, 10);
  drag.hidden = false;
  drag.addEventListener("input", () => {
    const x = (1000 * drag.value) / drag.max;
    const bars = [...timeline.querySelectorAll("a rect")];
    const bar = bars.findLast((one) => Number(one.getAttribute("x")) <= x) ?? bars[0];
    shown.textContent = `${day()} · ${bar.parentNode.querySelector("title").textContent}`;
    const cursor = timeline.querySelector(".cursor");
    cursor.setAttribute("x1", x);
    cursor.setAttribute("x2", x);
  });
  drag.addEventListener("change", async () => {
    const address = timeline.dataset.base.replace("DAY", day());
    const response = await fetch(address, { headers: { Accept: "text/html" } });
    const page = new DOMParser().parseFromString(await response.text(), "text/html");
    const text = page.getElementById("text");
    if (!text) return;
    document.getElementById("text").replaceWith(text);
    document.getElementById("links").replaceWith(page.getElementById("links"));
    timeline.querySelector("svg").replaceWith(page.querySelector("#timeline svg"));
    document.getElementById("on").value = day();
    document.title = page.title;
    history.replaceState(null, "", address);
  });
}

// A run: its steps as they happen. Texts of models and pages are put in as text, never as markup.
const run = document.getElementById("run");
if (run && run.dataset.status === "running") {
  const steps = document.getElementById("steps");
  const stream = new EventSource(`/v1/runs/${run.dataset.run}/events`);
  const words = JSON.parse(run.dataset.words);
  let seen = Number(run.dataset.steps);
  stream.addEventListener("step", (event) => {
    const step = JSON.parse(event.data);
    if (step.number <= seen) return;
    seen = step.number;
    const item = document.createElement("li");
    const details = document.createElement("details");
    const summary = document.createElement("summary");
    const text = document.createElement("pre");
    const said = [step.title, step.status].filter(Boolean);
    summary.textContent = said.map((word) => words[word.replaceAll("_", " ")] ?? word).join(" · ");
    text.textContent = step.text;
    details.append(summary, text);
    item.className = step.kind;
    item.append(details);
    steps.append(item);
  });
  stream.addEventListener("end", () => { stream.close(); location.reload(); });
}
