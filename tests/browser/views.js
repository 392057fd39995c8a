// SPDX-License-Identifier: GPL-3.0-or-later
// The views of a page that show all steps at once: links against time, and the trees of blocks; and its controls.
"use strict";
const assert = require("node:assert");
const fs = require("node:fs");
const path = require("node:path");

module.exports = ({ folder, has, isSet, visit, appears, inStep, linkOf, readersOf, saved }) => {

// The directed links of a lightpath, "3>4".
function routeOf(plan, p) {
  const { nodes } = plan.header.network, turn = p.dir === "ccw" ? nodes - 1 : 1, route = p.path ? [...p.path] : [p.src];
  while (route[route.length - 1] !== p.dst) route.push((route[route.length - 1] + turn) % nodes);
  return route.slice(1).map((v, k) => `${route[k]}>${v}`);
}

// Against time every link that sends in a step has a bar there, which begins and ends where the command's own drawing
// says, in each cost model, and its tuning and sending take no more than its channels at any time.  A click on a link
// opens its channels, with a bar for each lightpath, and one for each that was not up before.
async function againstTime({ page }, plan, name) {
  await page.keyboard.press("t");
  const sending = new Set(plan.paths.flatMap(p => routeOf(plan, p).map(l => `${p.step} ${l}`)));
  for (const model of ["paper", "circuit", "overlap"]) {
    await page.locator("#model").selectOption(model);
    const svg = fs.readFileSync(path.join(folder, `${name}-${model}.svg`), "utf8");
    const told = [...svg.matchAll(/<title>step \d+, ([\d.]+) to ([\d.]+) us/g)].map(m => m.slice(1).map(Number));
    const bars = await page.locator(".row rect:not(.tune)").evaluateAll(all => all.map(e => ({
      words: e.textContent, from: Number(e.getAttribute("x")), wide: Number(e.getAttribute("width")) })));
    assert.strictEqual(bars.length, sending.size, "a bar for each link and step");
    const left = Math.min(...await page.locator(".tune").evaluateAll(all => all.map(e => Number(e.getAttribute("x")))));
    const crowded = await page.locator(".row").evaluateAll(rows => rows.flatMap(row => {
      const all = [...row.querySelectorAll("rect")].map(e =>
        ["x", "width", "height"].map(k => Number(e.getAttribute(k)))), room = Math.max(...all.map(b => b[2]));
      return all.filter(([x]) => all.filter(([from, wide]) => from <= x + .01 && x + .01 < from + wide)
        .reduce((sum, b) => sum + b[2], 0) > 1.01 * room);
    }));
    assert.deepStrictEqual(crowded, [], "tuning and sending on one channel at one time");
    const scale = (Math.max(...bars.map(b => b.from + b.wide)) - left) / told[plan.header.steps - 1][1];
    for (const { words, from, wide } of bars) {
      const [step, begin, end] = words.match(/in step (\d+), ([\d.]+) to ([\d.]+) us$/).slice(1).map(Number);
      assert.deepStrictEqual([begin, end], told[step - 1], words);
      assert.ok(Math.abs(from - left - scale * begin) < .01 && Math.abs(wide - scale * (end - begin)) < .01, words);
    }
  }
  assert.ok(page.url().endsWith("#view=time&model=overlap"), page.url());
  const link = routeOf(plan, plan.paths[0])[0], back = link.split(">").reverse().join(">");
  await page.locator(".row", { hasText: new RegExp(`^${link.replace(">", " → ")}`) }).first().dispatchEvent("click");
  await isSet(page, "#which", linkOf(...link.split(">")));
  const over = plan.paths.flatMap(p => routeOf(plan, p)).filter(l => l === link || l === back);
  await has(page, ".row rect:not(.tune)", over.length);
  await has(page, ".row .tune", tunedOver(plan, [link, back]));
  await page.locator("#model").selectOption("paper");
  await has(page, ".row .tune", over.length, "the paper's model tunes every lightpath");
}

// How many channels of these links are tuned in all: those of lightpaths that are not up from an earlier step, since
// some of their channels was free or had another one.
function tunedOver(plan, links) {
  const held = {};
  let count = 0;
  for (let step = 1; step <= plan.header.steps; step++) {
    const all = inStep(plan, step).map(p => {
      const cells = routeOf(plan, p).map(l => `${l} ${p.wavelength}`), user = [p.src, p.dst, cells, p.taps].join();
      return { cells, user, isNew: cells.some(c => held[c] !== user) };
    });
    for (const { cells, user, isNew } of all) for (const c of cells) {
      held[c] = user;
      if (isNew && links.includes(c.split(" ")[0])) count++;
    }
  }
  return count;
}

// In the tree of a block every node stands once, under the one that sends it the block, and got it earlier; of sums,
// under the one that it sends to, and sends later.
async function trees({ page }, plan) {
  const { nodes } = plan.header.network, kinds = plan.header.collective === "all-reduce" ? [true, false] : [false];
  await page.keyboard.press("b");
  assert.ok(page.url().endsWith("#block=0&view=tree"), page.url());
  for (let block = 0; block < plan.header.blocks; block += 5) {
    await page.locator("#which").selectOption(String(block));
    const all = await page.locator(".treenode").evaluateAll(list => list.map(e => ({ ...e.dataset })));
    for (const isSum of kinds) {
      const tree = all.splice(0, nodes), of = Object.fromEntries(tree.map(n => [n.node, n]));
      const below = tree.filter(n => n.from !== "");
      assert.deepStrictEqual([Object.keys(of).length, below.length], [nodes, nodes - 1], "every node once, one root");
      for (const { node, step, from } of below) {
        const [src, dst] = (isSum ? [node, from] : [from, node]).map(Number), words = `${src} to ${dst} in ${step}`;
        assert.ok(inStep(plan, Number(step)).some(p => (p.op === "reduce") === isSum && p.src === src &&
          readersOf(p).includes(dst) && (p.blocks || [p.block]).includes(block)), words);
        assert.ok((of[from].step - step) * (isSum ? 1 : -1) > 0, words);
      }
    }
    assert.strictEqual(all.length, 0);
  }
  const last = page.locator(".treenode").last(), step = await last.getAttribute("data-step");
  await last.click();
  assert.match((await saved(page, "svg")).name, new RegExp(`-tree-step-${step}\\.svg$`));
}

// OpTree's groups: what a stage exchanges stays within nodes of one colour, and brackets part the stages.
async function groups({ page }, plan) {
  await page.locator("#astree").click();
  const maps = await page.locator(".groups").evaluateAll(all => all.map(g =>
    [...g.querySelectorAll("circle")].map(e => e.getAttribute("fill"))));
  assert.deepStrictEqual(maps.map(list => new Set(list).size), [4, 4], "radices 4 and 4 of 16 nodes");
  await has(page, ".bracket", 2);
  for (const p of plan.paths) assert.ok(maps.some(list => list[p.src] === list[p.dst]), `${p.src} to ${p.dst}`);
}

// A name of 300 characters leaves the tree its place and is cut to be whole in sight, even in a window of 20 pixels.
async function longName({ page }) {
  for (const width of [20, 500, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    await visit(page, "#view=time");
    await appears(page, ".row");
    await visit(page, "#view=tree");
    await appears(page, ".treenode");
    const names = await page.locator(".treenode .end").evaluateAll(all => all.map(e =>
      [e.textContent, e.getBoundingClientRect().left - e.ownerSVGElement.getBoundingClientRect().left]));
    assert.strictEqual(names.filter(([name]) => /^0+…$/.test(name)).length, 1, names.join());
    assert.ok(names.every(([, left]) => left >= 0), names.join());
  }
}

// The controls that no other test uses: what is done to the first of them, and the address that it leads to.
const CONTROLS = {
  torus: [[".bars button:nth-child(3)", "click", /^#step=3$/], ["body", "Home", /^$/], ["body", "End", /^#step=\d+$/],
    ["body", "Home", /^$/], [".line", "tap", /^#link=0-\d+$/], [".line", "tap", /^$/],
    [".line", "Enter", /^#link=0-\d+$/], ["body", "Escape", /^$/], ["#astime", "click", /^#view=time$/],
    ["rect.pick:nth-of-type(2)", "tap", /^#step=2&/],
    ["#astree", "click", /^#step=2&block=0&view=tree$/], ["#asgrid", "click", /&view=grid$/],
    ["#asmap", "click", /^#step=2&block=0$/]],
  blocked: [["#channel", "=2", /^#wavelength=2$/], ["#clear", "click", /^$/], [".node", "tap", /^#search=seattle/],
    ["#clear", "click", /^$/], [".line", "Enter", /^#link=0$/], ["#detail li button", "click", /^#demand=\d+$/],
    ["#detail li button", "click", /^#link=\d+$/], ["#blocked li button", "click", /^#demand=\d+$/]] };
async function controls({ page }, plan, name) {
  for (const [selector, act, address] of CONTROLS[name]) {
    const e = page.locator(selector).first();
    if (act === "tap") await e.dispatchEvent("click");
    else if (act === "click") await e.click();
    else await (act[0] === "=" ? e.selectOption(act.slice(1)) : e.press(act));
    assert.match(decodeURIComponent(page.url().split("#")[1] ? "#" + page.url().split("#")[1] : ""), address,
      `${act} on ${selector}`);
  }
}

return { againstTime, trees, groups, longName, controls };
};
