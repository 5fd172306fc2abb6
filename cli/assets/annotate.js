"use strict";
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const places = data.cells, positions = data.positions, last = positions.length - 1;
  const space = "http://www.w3.org/2000/svg", link = "http://www.w3.org/1999/xlink";
  const boards = ["light", "dark"].map((theme) => {
    const svg = document.querySelector(".board." + theme + " svg");
    svg.querySelectorAll(":scope > use").forEach((use) => use.remove());
    const layers = ["under", "pieces", "over"].map(() => svg.appendChild(document.createElementNS(space, "g")));
    return { theme, layers };
  });
  const make = (name, attributes, parent) => {
    const element = document.createElementNS(space, name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    return parent.appendChild(element);
  };
  const arrow = (from, to, parent) => {
    const [x1, y1] = places[from], [x2, y2] = places[to];
    const length = Math.hypot(x2 - x1, y2 - y1) || 1, dx = (x2 - x1) / length, dy = (y2 - y1) / length;
    const [bx, by] = [x2 - dx * 16, y2 - dy * 16];
    make("line", { class: "better", x1, y1, x2: bx, y2: by }, parent);
    const points = [[x2, y2], [bx - dy * 9, by + dx * 9], [bx + dy * 9, by - dx * 9]];
    make("polygon", { class: "head", points: points.map((point) => point.join(",")).join(" ") }, parent);
  };
  let at = 0;
  const show = (ply, scroll) => {
    at = Math.max(0, Math.min(last, ply));
    const position = positions[at];
    for (const { theme, layers } of boards) {
      layers.forEach((layer) => layer.replaceChildren());
      const [under, pieces, over] = layers;
      if (position.move) for (const cell of position.move) make("circle", { class: "trail", cx: places[cell][0], cy: places[cell][1], r: 23 }, under);
      for (const [cell, name] of position.pieces) {
        const use = make("use", { x: places[cell][0], y: places[cell][1] }, pieces);
        use.setAttributeNS(link, "xlink:href", "#tafl-" + theme + "-" + name);
      }
      if (position.better) arrow(position.better[0], position.better[1], over);
    }
    document.getElementById("at").textContent = (at === 0 ? "start" : "ply " + at + " of " + last) + "  " + position.score;
    const remark = document.getElementById("remark");
    remark.replaceChildren();
    const add = (text, dim) => {
      if (!text) return;
      const part = remark.appendChild(document.createElement("div"));
      part.textContent = text;
      if (dim) part.className = "dim";
    };
    add(at === 0 ? "Start. Use the arrow keys to step through the game, and e for the next error." : position.remark);
    add(position.line && "better: " + position.line, true);
    add(position.expects && "Engine continuation: " + position.expects, true);
    const x = at / Math.max(1, last) * 1000, cursor = document.getElementById("cursor");
    cursor.setAttribute("x1", x);
    cursor.setAttribute("x2", x);
    document.querySelectorAll("tr.now").forEach((row) => row.classList.remove("now"));
    const row = document.getElementById("ply" + at);
    if (row) row.classList.add("now");
    if (scroll) {
      const box = document.querySelector(".moves");
      if (row && box.scrollHeight > box.clientHeight) box.scrollTop = row.offsetTop - box.clientHeight / 2;
      if (at === 0) box.scrollTop = 0;
      history.replaceState(null, "", at === 0 ? "#" : "#ply" + at);
    }
  };
  const nextError = () => {
    for (let step = 1; step <= last; step += 1) {
      const ply = (at + step) % (last + 1);
      if (positions[ply].error) return show(ply, true);
    }
  };
  const root = document.documentElement;
  const turn = () => {
    const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
    root.dataset.theme = dark ? "light" : "dark";
  };
  const actions = { first: () => show(0, true), back: () => show(at - 1, true), next: () => show(at + 1, true),
    last: () => show(last, true), error: nextError, theme: turn };
  for (const [id, action] of Object.entries(actions)) document.getElementById(id).addEventListener("click", action);
  const keys = { ArrowLeft: "back", ArrowRight: "next", Home: "first", End: "last", e: "error", t: "theme" };
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || !(event.key in keys)) return;
    event.preventDefault();
    actions[keys[event.key]]();
  });
  document.querySelectorAll("a[data-ply]").forEach((anchor) => anchor.addEventListener("click", (event) => {
    event.preventDefault();
    show(Number(anchor.dataset.ply), false);
  }));
  const graph = document.getElementById("graph");
  graph.setAttribute("preserveAspectRatio", "none");
  graph.addEventListener("click", (event) => {
    const box = graph.getBoundingClientRect();
    show(Math.round((event.clientX - box.left) / box.width * last), true);
  });
  const wanted = /^#ply(\d+)$/.exec(location.hash);
  show(wanted ? Number(wanted[1]) : 0, true);
})();
