// Answer: a story that can be changed, a question, and what each hop looked at.

import { domainOf, make, option, post, trouble } from "/page/parts.js";
import { say } from "/page/words.js";

const STORY = "Nora went to the attic.\nOwen went to the cellar.\nNora took the map.\nNora went to the library.";

export function answerTab(panel, models) {
  if (!models.length) { panel.append(make("p", { className: "hint" }, say("noModel", "answer"))); return; }
  const model = make("select", { onchange: () => ask() }, ...models.map((one) => option(one.name, one.name)));
  const story = make("textarea", { rows: "6", id: "story", spellcheck: "false" });
  story.value = STORY;
  const question = make("input", { type: "text", id: "question", value: "Where was Nora before the library?" });
  const told = make("p", { className: "told", "aria-live": "polite" });
  const note = make("p", { className: "note" });
  const hops = make("div", { className: "hops scroll", tabindex: "0", hidden: true });
  const domain = make("span", { className: "hint" });

  async function ask() {
    trouble("");
    domain.textContent = domainOf(models.find((one) => one.name === model.value));
    const sentences = story.value.split("\n").map((line) => line.trim()).filter(Boolean);
    try {
      const found = await post("/api/answer", { model: model.value, story: sentences, question: question.value });
      told.replaceChildren(make("b", {}, found.answer), ` ${Math.round(100 * found.probability)} % ${say("sure")}`);
      note.textContent = found.unknown.length ? say("notSeen", found.unknown.join(", ")) : "";
      const rows = found.attention.weights[0][0];
      hops.hidden = false;
      const cell = (weight) => {
        const bar = make("i");
        bar.style.width = `${100 * weight}%`;
        return make("td", {}, make("span", { className: "of", "aria-hidden": "true" }, bar), make("span", { className: "number" }, weight.toFixed(2)));
      };
      hops.replaceChildren(make("table", {}, make("caption", {}, say("hopsTable")),
        make("thead", {}, make("tr", {}, make("td"), ...rows.map((_, hop) => make("th", { scope: "col" }, `${say("hop")} ${hop + 1}`)))),
        make("tbody", {}, ...found.attention.columns.map((sentence, place) => make("tr", {}, make("th", { scope: "row" }, sentence), ...rows.map((row) => cell(row[place])))))));
    } catch (error) { trouble(error.message); }
  }

  story.addEventListener("change", ask);
  panel.addEventListener("shown", () => hops.hidden && ask());
  question.addEventListener("keydown", (event) => event.key === "Enter" && ask());
  panel.append(make("label", { for: "story" }, say("story")), story, make("label", { for: "question" }, say("question")), question,
    make("div", { className: "bar" }, make("button", { type: "button", className: "main", onclick: ask }, say("ask")), make("label", {}, say("model"), model), domain),
    told, note, hops);
}
