// The studio: tabs, language, size of type.

import { answerTab } from "/page/answer.js";
import { captionTab } from "/page/caption.js";
import { compareTab } from "/page/compare.js";
import { graphTab } from "/page/graph.js";
import { mechanismTab } from "/page/mechanism.js";
import { get, make, trouble } from "/page/parts.js";
import { editTab, translateTab } from "/page/translate.js";
import { language, otherLanguage, say } from "/page/words.js";

const TABS = {
  translate: (panel, models) => translateTab(panel, models), edit: editTab, caption: captionTab, answer: answerTab, graph: graphTab, mechanism: mechanismTab, compare: compareTab,
};
const NEEDS = { compare: "translate", edit: "translate" };
const main = document.getElementById("main");
const tabs = document.getElementById("tabs");

document.documentElement.lang = language;
document.querySelectorAll("[data-say]").forEach((each) => { each.textContent = say(each.dataset.say); });
document.getElementById("language").addEventListener("click", otherLanguage);
document.getElementById("language").lang = language === "ko" ? "en" : "ko";

const large = document.getElementById("large");
function setLarge(on) {
  document.documentElement.toggleAttribute("data-large", on);
  large.setAttribute("aria-pressed", String(on));
  localStorage.setItem("large", on ? "yes" : "");
  window.dispatchEvent(new Event("resize"));
}
large.addEventListener("click", () => setLarge(large.getAttribute("aria-pressed") !== "true"));

const panels = {};
function open(name, focus = false) {
  for (const tab of tabs.children) {
    const chosen = tab.dataset.tab === name;
    tab.setAttribute("aria-selected", String(chosen));
    tab.tabIndex = chosen ? 0 : -1;
    if (chosen && focus) tab.focus();
    if (chosen) tab.scrollIntoView({ block: "nearest", inline: "center" });
  }
  for (const [each, panel] of Object.entries(panels)) panel.hidden = each !== name;
  const [, ...rest] = location.hash.slice(1).split("?");
  if (location.hash.slice(1).split("?")[0] !== name) history.replaceState(null, "", `#${name}`);
  panels[name].dispatchEvent(new CustomEvent("shown", { detail: rest.join("?") }));
}

async function begin() {
  setLarge(localStorage.getItem("large") === "yes");
  const served = await get("/api/models");
  const refused = served.refused.map((one) => make("p", { className: "note" }, `${say("refused")}: ${one.reason}`));
  main.append(...refused);
  const apart = served.models.filter((one) => !(one.kind in TABS)).map((one) => one.name);
  if (apart.length) main.append(make("p", { className: "hint" }, say("noTab", apart.join(", "))));
  for (const [name, tab] of Object.entries(TABS)) {
    const button = make("button", { type: "button", role: "tab", id: `tab-${name}`, "aria-controls": `panel-${name}`, "data-tab": name,
      onclick: () => open(name) }, say(name));
    tabs.append(button);
    panels[name] = make("section", { role: "tabpanel", id: `panel-${name}`, "aria-labelledby": `tab-${name}` });
    const able = served.models.filter((one) => one.kind === (NEEDS[name] ?? name));
    tab(panels[name], able, served.models);
    main.append(panels[name]);
  }
  tabs.setAttribute("aria-label", "jumok studio");
  tabs.addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    const names = Object.keys(TABS);
    const at = names.findIndex((name) => !panels[name].hidden);
    open(names[(at + step + names.length) % names.length], true);
  });
  const wanted = location.hash.slice(1).split("?")[0];
  const first = Object.keys(TABS).find((name) => served.models.some((one) => one.kind === name)) ?? "translate";
  open(wanted in TABS ? wanted : first);
}

begin().catch((error) => trouble(error.message));
