// Keys, the theme, toasts, charts and what comes in live. Every page works without this file.
"use strict";
(() => {
  const root = document.documentElement;
  root.classList.add("js");
  const kept = () => { try { return localStorage.getItem("theme"); } catch { return null; } };
  if (kept()) root.dataset.theme = kept();

  // -- theme

  function switchTheme() {
    const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
    root.dataset.theme = dark ? "light" : "dark";
    try { localStorage.setItem("theme", root.dataset.theme); } catch { /* private browsing: for this page only */ }
    drawCharts(document);
  }

  // -- keys

  const places = { h: "/", m: "/memories", r: "/review", s: "/suggestions", w: "/why", p: "/preview", e: "/sessions", b: "/board",
    a: "/autonomous", c: "/conflicts", i: "/insights", k: "/permissions", t: "/settings", d: "/health", x: "/transfer" };
  let going = false;

  const rows = () => [...document.querySelectorAll("[data-row]")];
  const selected = () => document.querySelector("[data-row].selected");

  function move(step) {
    const all = rows();
    if (!all.length) return;
    const at = all.indexOf(selected());
    const next = all[at < 0 ? (step > 0 ? 0 : all.length - 1) : Math.min(Math.max(at + step, 0), all.length - 1)];
    selected()?.classList.remove("selected");
    next.classList.add("selected");
    next.scrollIntoView({ block: "nearest" });
    next.querySelector("a, button")?.focus({ preventScroll: true });
  }

  function press(key) {
    const inside = selected()?.querySelector(`[data-key="${key}"]`);
    const found = inside || document.querySelector(`[data-key="${key}"]:not([data-row] *)`);
    if (found?.matches("select")) found.selectedIndex = (found.selectedIndex + 1) % found.length;
    else found?.click();
    if (found?.matches("summary") && found.parentElement.open) found.parentElement.querySelector("textarea, button")?.focus();
    return Boolean(found);
  }

  const typing = (target) => target.closest("input, textarea, select, [contenteditable]");

  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (typing(event.target)) {
      if (event.key === "Escape") event.target.blur();
      return;
    }
    const key = event.key;
    if (going) {
      going = false;
      if (places[key]) { event.preventDefault(); location.href = places[key]; }
      return;
    }
    if (key === "g") going = true;
    else if (key === "/") focusSearch(event);
    else if (key === "j") move(1);
    else if (key === "k") move(-1);
    else if (key === "?") { event.preventDefault(); document.getElementById("help")?.showModal(); }
    else if (key === "Enter" && selected() && !event.target.closest("a, button, summary")) selected().querySelector("a")?.click();
    else if (/^[a-z]$/.test(key) && press(key)) event.preventDefault();
  });

  function focusSearch(event) {
    const field = document.querySelector("input[type=search]");
    event.preventDefault();
    if (field) { field.focus(); field.select(); } else location.href = "/memories#search";
  }

  // -- clicks

  addEventListener("click", (event) => {
    const what = event.target.closest("[data-do]")?.dataset.do;
    if (what === "theme") switchTheme();
    if (what === "menu") document.querySelector(".side").toggleAttribute("data-open");
    if (what === "help") document.getElementById("help").showModal();
    if (what === "back" && history.length > 1) { event.preventDefault(); history.back(); } // with what was typed there
    if (what === "close-toast") event.target.closest(".toast").classList.add("gone");
  });

  // -- toasts go by themselves, unless they tell of a problem

  function fade() {
    for (const toast of document.querySelectorAll(".toast:not(.problem):not([data-timed])")) {
      toast.dataset.timed = "yes";
      setTimeout(() => toast.classList.add("gone"), 6000);
    }
  }

  // -- charts

  const day = (seconds) => new Date(seconds * 1000).toLocaleDateString("en-GB", { day: "numeric", month: "short" });

  function drawCharts(scope) {
    for (const figure of scope.querySelectorAll(".chart[data-chart]")) {
      if (!window.uPlot) return;
      const colour = (name) => {
        const probe = document.createElement("i");
        probe.style.color = `var(--${name})`;
        figure.append(probe);
        const found = getComputedStyle(probe).color;
        probe.remove();
        return found;
      };
      const chart = JSON.parse(figure.dataset.chart);
      figure.replaceChildren();
      const axis = { stroke: colour("soft"), grid: { stroke: colour("line"), width: 1 }, ticks: { show: false }, font: "12px system-ui" };
      const series = chart.series.map((one) => ({ label: one.label, stroke: colour(one.colour), width: one.dashed ? 1 : 2, dash: one.dashed ? [5, 5] : undefined,
        value: (_, number) => (number == null ? "" : Math.round(number).toLocaleString()), points: { show: one.dots || false }, fill: one.bars ? colour(one.colour) : undefined,
        paths: one.bars ? uPlot.paths.bars({ size: [0.7, 40] }) : undefined }));
      new uPlot({
        width: figure.clientWidth || 600, height: 220, cursor: { y: false }, legend: { live: true },
        scales: { x: { time: chart.time }, y: { range: (_, low, high) => [0, Math.max(high * 1.08, 1)] } },
        axes: [chart.time ? { ...axis, size: 32, gap: 8, space: 70, values: (_, all) => all.map(day) } : { ...axis, size: 32, gap: 8, incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500] },
          { ...axis, size: 62, incrs: [1, 2, 5].flatMap((n) => [0, 1, 2, 3, 4, 5, 6, 7].map((e) => n * 10 ** e)).sort((a, b) => a - b) }],
        series: [{ label: chart.x, value: (_, x) => (x == null ? "" : chart.time ? day(x) : x) }, ...series],
      }, chart.data, figure);
    }
  }

  // -- what comes in live

  function toast(text, address) {
    const box = document.createElement("div");
    box.className = "toast";
    const words = document.createElement("span");
    words.textContent = text;
    const link = document.createElement("a");
    link.href = address;
    link.textContent = "Review";
    const close = document.createElement("button");
    close.type = "button";
    close.dataset.do = "close-toast";
    close.textContent = "Dismiss";
    box.append(words, link, close);
    document.getElementById("toasts").append(box);
    fade();
  }

  function listen() {
    if (!window.EventSource || !document.body.dataset.events) return;
    const events = new EventSource(document.body.dataset.events);
    const known = {};
    const changed = () => document.body.dispatchEvent(new CustomEvent("memory-changed"));
    events.addEventListener("change", changed);
    // The first count of each is how things stand; only what comes later is news.
    const count = (name, tell) => events.addEventListener(name, (event) => {
      const now = JSON.parse(event.data).count;
      if (name in known && now !== known[name]) {
        changed();
        if (now > known[name]) tell(now);
      }
      known[name] = now;
      document.body.dataset.listening = "yes";
    });
    count("pending", () => toast("Something new is waiting for your review.", "/review"));
    count("suggestions", () => {});
    // When it is told depends on the mode: each by itself, several together, or never.
    events.addEventListener("notification", (event) => {
      const { text, suggestions } = JSON.parse(event.data);
      toast(text, suggestions.length === 1 ? `/suggestions/${suggestions[0]}` : "/suggestions");
    });
  }

  document.addEventListener("DOMContentLoaded", () => { fade(); drawCharts(document); listen(); });
  document.addEventListener("htmx:after:swap", () => { fade(); });
  addEventListener("resize", () => { clearTimeout(window.redrawing); window.redrawing = setTimeout(() => drawCharts(document), 150); });
})();
