// The page works as a plain form; this makes it live. The address is the state: each change is one
// request with the whole study, the next is sent when the answer is there, and only the newest is.
"use strict";
const form = document.getElementById("study");
const answer = document.getElementById("answer");
const problem = document.getElementById("problem");
const changes = document.getElementById("changes");
const narrow = window.matchMedia("(max-width: 800px)");
const headers = {
  "X-Client": crypto.getRandomValues(new Uint32Array(2)).join(""),
  "X-Token": document.querySelector("meta[name=token]").content, // a place is kept for this page
};
let busy = false, waiting = false, slow = null, timer = 0, last = 0, held = false;
let refused = ""; // why a file was not opened: shown until the study is changed

function text(slider) {
  const low = Math.log(slider.dataset.low), high = Math.log(slider.dataset.high);
  const x = Math.exp(low + (high - low) * slider.value / 1000);
  const value = Number(x.toPrecision(3));
  return String(slider.dataset.whole ? Math.max(1, Math.round(value)) : value);
}

function place(slider, box) {
  const low = Math.log(slider.dataset.low), high = Math.log(slider.dataset.high);
  const x = Number(box.value.replaceAll(/,(?=\d{3}(\D|$))/g, ""));
  slider.value = x > 0 ? 1000 * (Math.log(x) - low) / (high - low) : slider.dataset.none;
  slider.setAttribute("aria-valuetext", box.value || "none");
}

// what to relax stands first where there is no plan, what to tighten last
function order() {
  (document.querySelector("#verdict:not(.feasible)") || document.getElementById("more")).after(changes);
}

function query() {
  const said = new URLSearchParams();
  for (const [key, value] of new FormData(form)) if (value.trim()) said.append(key, value.trim());
  return said;
}

function arrange() {
  const kind = form.elements.mechanism.value.split(" ")[0];
  for (const part of form.querySelectorAll("[data-only]")) {
    part.hidden = !part.dataset.only.split(" ").includes(kind);
  }
  for (const part of form.querySelectorAll(".question [data-kind]")) {
    part.hidden = part.dataset.kind !== part.closest(".question").querySelector(".kind").value;
    part.querySelector("input").disabled = part.hidden;
  }
  for (const group of form.querySelectorAll("fieldset")) { // one of which nothing applies
    const parts = [...group.querySelectorAll(":scope > details > .quantity")];
    if (parts.length) group.hidden = parts.every((part) => part.hidden);
  }
  const chosen = form.elements.scenario.selectedOptions[0];
  // all money of a study is in the currency of its scenario
  if (chosen.dataset.currency) form.elements.currency.value = chosen.dataset.currency;
  for (const unit of form.querySelectorAll("[data-money]")) {
    unit.textContent = form.elements.currency.value || "money";
  }
  for (const [key, cost] of [["base_cost", chosen.dataset.base], ["worst_cost", chosen.dataset.worst]]) {
    const box = form.elements[key];
    if (cost) {
      if (!box.dataset.replaced) box.dataset.own = box.value;
      box.dataset.replaced = "1";
      box.value = Number(cost);
    } else if (box.dataset.replaced) {
      box.value = box.dataset.own || box.value;
      delete box.dataset.replaced;
    }
  }
  const differ = Boolean(form.elements.base_costs.value.trim());
  form.querySelector("[data-key=base_cost]").hidden = differ;
  form.querySelector("[data-key=accept]").hidden = !differ && !form.elements.accept.value;
  for (const field of form.querySelectorAll(".quantity")) {
    const box = field.querySelector("input[name]"), slider = field.querySelector(".slider");
    const locked = field.querySelector("input[name=lock]").checked;
    box.readOnly = slider.disabled = locked || Boolean(box.dataset.replaced);
    slider.hidden = false;
    place(slider, box);
  }
}

function say(words, key) {
  problem.textContent = words || "";
  document.getElementById("downloads").hidden = Boolean(words);
  for (const box of form.querySelectorAll("[aria-invalid]")) box.removeAttribute("aria-invalid");
  const box = key && form.elements[key];
  if (!box) return;
  box.setAttribute("aria-invalid", "true");
  box.closest("details")?.setAttribute("open", "");
}

async function send() {
  busy = true;
  waiting = false;
  const said = query(), address = "?" + said;
  answer.classList.add("waiting");
  try {
    const reply = await fetch("/answer" + address + (narrow.matches ? "&narrow=1" : ""), { headers });
    const shown = await reply.json();
    if (!refused) {
      say(shown.error && shown.error + ". What is shown is the study before that.", shown.key);
    }
    if (shown.html) {
      // one entry of the history for what is changed at one go
      const fresh = Date.now() - last > 1500 && address !== location.search;
      history[fresh ? "pushState" : "replaceState"](null, "", address);
      last = Date.now();
      document.title = "ε planner: " + (said.get("title") || "a study");
      answer.innerHTML = shown.html;
      order();
      answer.dataset.query = said;
      for (const link of document.querySelectorAll("#downloads a[data-path]")) {
        link.href = link.dataset.path + address;
      }
    }
    if (shown.html || !shown.error) answer.classList.remove("waiting");
  } catch {
    say("The planner does not answer; is it still running? What you set is kept in this page.");
  }
  busy = false;
  if (waiting) send(); else later();
}

function givenUp(place, words) {
  const said = document.createElement("p"), again = document.createElement("button");
  said.textContent = "Not shown: " + words + ". ";
  again.textContent = "Try again";
  again.addEventListener("click", later);
  said.append(again);
  place.replaceChildren(said);
}

const searched = {
  offer: "Looking for the best payment",
  offer_costs: "Computing what each payment costs",
  more: "Planning by other mechanisms, and without privacy",
  changes: "Searching what could change",
};

function later() {
  clearTimeout(timer);
  if (slow) slow.abort();
  timer = setTimeout(async () => {
    slow = new AbortController();
    const said = query(), signal = slow.signal;
    const parts = ["more", "changes"];
    const offers = ["offer", "offer_costs"];
    if (said.has("base_costs")) parts.unshift(...offers);
    else for (const part of offers) document.getElementById(part).replaceChildren();
    const places = { changes };
    for (const part of parts) {
      const place = places[part] ??= document.getElementById(part);
      place.classList.add("waiting");
      if (!place.querySelector("h3, figure")) place.innerHTML = "<p>" + searched[part] + " …</p>";
    }
    await Promise.allSettled(parts.map(async (part) => {
      const view = part.startsWith("offer") && narrow.matches ? "&narrow=1" : "";
      const reply = await fetch("/" + part + "?" + said + view, { headers, signal });
      const shown = await reply.json();
      const place = places[part];
      if (shown.html) place.innerHTML = shown.html; else givenUp(place, shown.error);
      place.classList.remove("waiting");
    }));  // what is rejected is of an older study
  }, held ? 100 : 0);  // while a slider or a key is held, more changes come
}

function changed() {
  refused = "";
  waiting = true;
  if (!busy) send();
}

for (const type of ["pointerdown", "keydown"]) form.addEventListener(type, () => { held = true; });
for (const type of ["pointerup", "pointercancel", "keyup", "blur"]) {
  window.addEventListener(type, () => { held = false; });
}

form.addEventListener("input", (event) => {
  const field = event.target.closest(".quantity");
  if (field && event.target.type === "range") {
    field.querySelector("input[name]").value = text(event.target);
  }
  if (event.target.id === "file") return;
  if (event.target.name === "mechanism") {
    const survey = /^(added-noise|lots|compared)/.test(event.target.value);
    if (survey && !form.querySelector(".question")) {
      form.requestSubmit(document.getElementById("add"));
      return;
    }
    const queries = event.target.value.startsWith("mwem");
    for (const [key, start] of [["universe_size", 256], ["queries", 10000]]) {
      if (queries && !form.elements[key].value) form.elements[key].value = start;
    }
    if (/gaussian|approximate/.test(event.target.value) && !form.elements.delta.value) {
      form.elements.delta.value = "1e-6";
    }
  }
  arrange();
  changed();
});
// an arrow key moves a quantity by 1 %, with shift by 10 %, and a whole one by at least 1
form.addEventListener("keydown", (event) => {
  const slider = event.target;
  const way = { ArrowUp: 1, ArrowRight: 1, ArrowDown: -1, ArrowLeft: -1 }[event.key];
  if (slider.type !== "range" || !way) return;
  event.preventDefault();
  const box = slider.closest(".quantity").querySelector("input[name]");
  const now = Number(box.value.replaceAll(/,(?=\d{3}(\D|$))/g, "")) || Number(text(slider));
  let next = now * (event.shiftKey ? 1.1 : 1.01) ** way;
  if (slider.dataset.whole) next = way * Math.max(way * Math.round(next), way * now + 1);
  next = Math.min(Math.max(next, Number(slider.dataset.low)), Number(slider.dataset.high));
  box.value = String(Number(next.toPrecision(slider.dataset.whole ? 12 : 4)));
  arrange();
  changed();
});
form.addEventListener("submit", (event) => {
  if (event.submitter?.name) return; // a question is added or removed: the server makes the page
  event.preventDefault();
  changed();
});
document.getElementById("file").addEventListener("change", async (event) => {
  const files = [...event.target.files];
  event.target.value = "";
  if (!files.length) return;
  try {
    // a study and the file of costs that it names are sent together, with a zero byte between
    const parts = files.flatMap((file, at) => (at ? ["\0", file] : [file]));
    const reply = await fetch("/open", { method: "POST", headers, body: new Blob(parts) });
    const shown = await reply.json();
    refused = shown.error || "";
    if (refused) say(refused); else location.assign("/?" + shown.query);
  } catch {
    say("The planner does not answer; is it still running?");
  }
});
narrow.addEventListener("change", changed); // pictures are drawn for one width
window.addEventListener("popstate", () => location.reload());
document.documentElement.classList.add("live");
arrange();
order();
document.getElementById(location.hash.slice(1))?.focus();
if (narrow.matches) changed(); else if (!problem.textContent) later();
