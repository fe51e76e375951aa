"use strict";
// What a site wrote gets onto the page as textContent only: it is shown, never read as markup.

const $ = (id) => document.getElementById(id);
const whole = new Intl.NumberFormat("en");
const name = document.querySelector("h1").textContent;

function set(id, text) {
  const at = $(id);
  if (at.textContent !== text) at.textContent = text;
}

function element(tag, text, className) {
  const made = document.createElement(tag);
  if (text !== undefined) made.textContent = text;
  if (className) made.className = className;
  return made;
}

// rate shows three digits or so.
const rate = (n) => n >= 100 ? whole.format(Math.round(n)) : n >= 10 ? n.toFixed(1) : n.toFixed(1).replace(/^0.0$/, "0");

function duration(s) {
  if (s < 60) return Math.round(s) + " s";
  const minutes = Math.round(s / 60);
  if (s < 600) return Math.floor(s / 60) + " min" + (s % 60 >= 1 ? " " + Math.floor(s % 60) + " s" : "");
  if (minutes < 60) return minutes + " min";
  if (minutes < 48 * 60) return Math.floor(minutes / 60) + " h " + (minutes % 60) + " min";
  return Math.floor(minutes / 1440) + " d " + Math.floor(minutes % 1440 / 60) + " h";
}

// about leaves out what nobody can know of the future.
const about = (s) => "about " + duration(s < 120 ? Math.ceil(s / 5) * 5 : Math.round(s / 60) * 60);

function size(n) {
  const units = ["B", "kB", "MB", "GB", "TB"];
  let i = 0;
  for (; n >= 1000 && i < units.length - 1; i++) n /= 1000;
  return (i && n < 100 ? n.toFixed(1) : whole.format(Math.round(n))) + " " + units[i];
}

const took = (ms) => ms === null ? "" : ms < 1 ? "< 1 ms" : ms < 1000 ? ms + " ms" : (ms / 1000).toFixed(1) + " s";

function numbers(m) {
  for (const id of ["done", "failed", "in_flight", "pending", "records", "rejects", "retried"]) set(id, whole.format(m[id]));
  const percent = m.percent.toFixed(m.total >= 1000 && m.percent < 100 ? 1 : 0);
  set("percent", m.pending + m.in_flight > 0 && percent === "100" ? "99" : percent);
  set("per_second", rate(m.per_second));
  set("elapsed", duration(m.elapsed_s));
  set("bytes", size(m.bytes));
  $("active").replaceChildren(whole.format(m.active), element("small", " of " + whole.format(m.limit)));
  const left = m.eta_s === null ? "–" : m.pending + m.in_flight > 0 ? about(m.eta_s) : "nothing";
  set("eta_name", m.due_s === null ? "left" : "next task in");
  set("eta", m.due_s === null ? left : duration(m.due_s));
  set("trouble", m.trouble);
  $("trouble").hidden = !m.trouble;
  document.title = $("percent").textContent + "% · " + name;
}

function bar(m) {
  let x = 0;
  for (const [part, n] of [["done", m.done], ["failed", m.failed], ["flight", m.in_flight]]) {
    const width = m.total ? 1000 * n / m.total : 0;
    const rect = $("bar").querySelector("." + part);
    rect.setAttribute("x", x);
    rect.setAttribute("width", width);
    x += width;
  }
}

// smooth is the mean of the last five samples: a commit lands many tasks at once.
const smooth = (values) => values.map((_, i) => {
  const last = values.slice(Math.max(0, i - 4), i + 1);
  return last.reduce((a, b) => a + b, 0) / last.length;
});

// ceiling is the next number with one digit and zeros whose half is round too.
function ceiling(n) {
  const power = 10 ** Math.floor(Math.log10(n));
  return [1, 2, 3, 4, 6, 8, 10].map((f) => f * power).find((f) => f >= n * 0.999);
}

function chart(speed) {
  const failed = smooth(speed.failed), all = smooth(speed.done.map((n, i) => n + speed.failed[i]));
  const top = ceiling(Math.max(1, ...all)), shown = Math.max(60, speed.span_s);
  const x = (i) => (600 - 600 * speed.span_s / shown * (1 - (i + 1) / all.length)).toFixed(1);
  const y = (n) => (100 - 100 * n / top).toFixed(1);
  const line = (values) => values.map((n, i) => x(i) + " " + y(n)).join("L");
  const area = (values) => values.length ? `M${x(0)} 100L${line(values)}L600 100Z` : "";
  $("chart").querySelector(".done").setAttribute("d", area(all));
  $("chart").querySelector(".line").setAttribute("d", all.length ? "M" + line(all) : "");
  $("chart").querySelector(".failed").setAttribute("d", failed.some((n) => n > 0) ? area(failed) : "");
  set("chart_top", whole.format(top));
  set("chart_half", top >= 2 ? whole.format(top / 2) : "");
  set("chart_from", duration(shown) + " ago");
}

// rows fills a table anew if what it shows has changed, so that what somebody selects stays selected.
const shownBefore = new Map();
function changed(key, value) {
  const text = JSON.stringify(value);
  if (shownBefore.get(key) === text) return false;
  shownBefore.set(key, text);
  return true;
}

function rows(id, list, cells) {
  if (!changed(id, list)) return;
  $(id).hidden = list.length === 0;
  $(id).querySelector("tbody").replaceChildren(...list.map((item) => {
    const row = element("tr");
    row.append(...cells(item));
    return row;
  }));
}

function example(url, error) {
  const cell = element("td");
  cell.append(element("span", url, "url"));
  if (error) cell.append(element("span", error, "why"));
  return cell;
}

const clock = (utc) => new Date(utc.replace(" ", "T") + "Z").toLocaleTimeString("en-GB");

function lists(m) {
  rows("hosts", m.hosts, (h) => [element("td", h.host, "url"), element("td", duration(h.for_s), "n"), element("td", h.why, "why")]);
  const more = m.hosts_waiting - m.hosts.length;
  set("hosts_more", more > 0 ? "and " + whole.format(more) + " more" : "");
  rows("failures", m.failures, (f) => [element("td", whole.format(f.tasks), "n"), element("td", f.kind, "bad"),
    element("td", f.status ?? "–", f.status ? "n" : "n none"), example(f.example_url, f.example_error)]);
  rows("recent", m.recent, (a) => [element("td", clock(a.at)), element("td", a.outcome, a.outcome === "done" ? "" : "bad"),
    element("td", a.status ?? "–", a.status ? "n" : "n none"), element("td", took(a.took_ms), "n"), example(a.url, a.error)]);
  for (const [i, t] of m.tables.entries()) preview(i, t);
}

// preview makes a section for a record table when it has its first record.
function preview(i, t) {
  if (t.rows.length === 0 || !changed("table " + i, t)) return;
  let section = $("table_" + i);
  if (!section) {
    section = element("section");
    section.id = "table_" + i;
    const scroll = element("div", undefined, "scroll");
    scroll.tabIndex = 0; // for who has no mouse to scroll with
    scroll.setAttribute("role", "region");
    scroll.setAttribute("aria-label", t.table);
    scroll.append(element("table"));
    section.append(element("h2", "The latest of " + t.table), scroll);
    $("tables").append(section);
  }
  const head = element("tr");
  head.append(...t.columns.map((c, k) => element("th", c, t.numbers[k] ? "n" : "")));
  section.querySelector("table").replaceChildren(head, ...t.rows.map((values) => {
    const row = element("tr");
    row.append(...values.map((v, k) => {
      const cell = element("td", v ?? "–", (t.numbers[k] ? "n " : "") + (v === null ? "none" : ""));
      cell.title = v ?? "NULL";
      return cell;
    }));
    return row;
  }));
}

const words = {
  finished: "finished", interrupted: "interrupted; the same command carries on", stopped: "stopped by itself", failed: "ended by an error",
};
function state(code, text) {
  $("state").dataset.state = code;
  set("state", text);
}

function show(m) {
  numbers(m);
  bar(m);
  chart(m.speed);
  lists(m);
  if (!m.ended) return state("running", "running");
  state(m.ended, words[m.ended] ?? m.ended);
  set("now_name", "at the end");
  set("chart_to", "the end");
  set("elapsed_name", "ran for");
}

const events = new EventSource("/events");
events.onmessage = (e) => show(JSON.parse(e.data));
events.addEventListener("finished", (e) => {
  events.close(); // or the browser would go on asking
  show(JSON.parse(e.data));
});
events.onerror = () => {
  if (events.readyState === EventSource.CLOSED) state("lost", "too many pages of this run are open; close one and reload");
  else state("lost", "no connection since " + new Date().toLocaleTimeString("en-GB"));
};
