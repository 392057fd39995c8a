// SPDX-License-Identifier: GPL-3.0-or-later
// The interactive pages in a real browser, by mouse and by keyboard.  The expected text of a page is counted from the
// schedule file itself, with every orbit expanded.
// Usage: NODE_PATH=… node page_test.js CHROMIUM FOLDER, where FOLDER has NAME.jsonl and NAME.html of the plans below
"use strict";
const assert = require("node:assert");
const fs = require("node:fs");
const path = require("node:path");
const { chromium } = require("playwright-core");

const [executablePath, folder] = process.argv.slice(2);
const PLANS = ["optree", "wavefront", "wide", "torus", "tapped"];
const FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
  "--disable-component-update", "--disable-sync"];
let passed = 0, failed = 0;

function lightpathsOf(name) {
  const lines = fs.readFileSync(path.join(folder, name + ".jsonl"), "utf8").trim().split("\n").map(JSON.parse);
  return { header: lines[0], paths: lines.slice(1) };
}

// A page of its own: what it asks for and complains of is kept.
async function open(browser, name, options = {}, hash = "") {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
  const page = await context.newPage();
  const address = "file://" + path.resolve(folder, name + ".html");
  const seen = { complaints: [], requests: [] };
  page.on("console", m => { if (m.type() === "error" || m.type() === "warning") seen.complaints.push(m.text()); });
  page.on("pageerror", e => seen.complaints.push(String(e)));
  await context.route("**", route => {
    const url = route.request().url();
    if (url.split("#")[0] === address || url.startsWith("data:")) return route.continue();
    seen.requests.push(url);
    return route.abort();
  });
  await page.goto(address + hash);
  return { page, context, seen };
}

const textOf = (page, selector) => page.locator(selector).textContent();
const stepName = page => textOf(page, "#stepname");
const info = page => textOf(page, "#info");
const countOf = (page, selector) => page.locator(selector).count();
const has = async (page, selector, count, words) => assert.strictEqual(await countOf(page, selector), count, words);
const isAt = async (page, plan, step, words) =>
  assert.strictEqual(await stepName(page), `step ${step} of ${plan.header.steps}`, words);
const comesTo = (page, step) => page.waitForFunction(words =>
  document.getElementById("stepname").textContent.startsWith(words), `step ${step} `);
const appears = (page, selector) => page.waitForFunction(words => document.querySelector(words), selector);
const visit = (page, hash) => page.evaluate(words => { location.hash = words; }, hash);
const isSet = async (page, control, value, words) =>
  assert.strictEqual(await page.locator(control).inputValue(), value, words);

const click = (page, selector) => page.locator(selector).click();
const slide = (page, step) => page.locator("#slider").fill(String(step));
async function press(page, ...keys) {
  for (const key of keys) await page.keyboard.press(key);
}

// What is shown: of a node, of a block, …
async function choose(page, what, which) {
  await page.locator("#what").selectOption(what);
  await page.locator("#which").selectOption(String(which));
}
const inStep = (plan, step) => plan.paths.filter(p => p.step === step);
const isRing = plan => plan.header.network.kind === "ring";
const linkOf = (a, b) => `${Math.min(a, b)}-${Math.max(a, b)}`;
const linksOf = p => p.path.slice(1).map((v, k) => linkOf(p.path[k], v));
const readersOf = p => [...(p.taps || []), p.dst];

// A map has every link once, and says how many of its channels the file takes in the step.
async function mapIsCounted(page, plan, step) {
  const { nodes, wavelengths } = plan.header.network, busy = {};
  for (const l of inStep(plan, step).flatMap(linksOf)) busy[l] = (busy[l] || 0) + 1;
  const labels = await page.locator(".line").evaluateAll(all => all.map(e => e.getAttribute("aria-label")));
  const seen = labels.map(l => l.match(/^(\d+) – (\d+): (\d+) of (\d+) channels busy$/).slice(1).map(Number));
  assert.strictEqual(new Set(seen.map(([a, b]) => linkOf(a, b))).size, seen.length, "each link once");
  for (const [a, b, n, of] of seen) {
    assert.strictEqual(n, busy[linkOf(a, b)] || 0, `busy channels of ${a} – ${b} in step ${step}`);
    assert.strictEqual(of, 2 * wavelengths);
  }
  await has(page, ".node", nodes);
  await has(page, ".lp", 0, "no lightpath before one is asked for");
}

async function slider({ page }, plan) {
  for (let step = 1; step <= plan.header.steps; step++) {
    await slide(page, step);
    await isAt(page, plan, step);
    if (isRing(plan))
      await has(page, ".lp", inStep(plan, step).length, `lightpaths drawn in step ${step}`);
    else await mapIsCounted(page, plan, step);
  }
  await page.locator("#slider").focus();
  await press(page, "Home", "ArrowRight");
  await isAt(page, plan, 2, "an arrow on the slider is one step");
}

async function stepKeys({ page }, plan) {
  const steps = plan.header.steps;
  await press(page, "ArrowRight");
  await isAt(page, plan, 2);
  await press(page, "ArrowLeft", "ArrowLeft");
  await isAt(page, plan, 1, "there is no step 0");
  await press(page, "End");
  await click(page, "#next");
  await isAt(page, plan, steps, "there is none after the last");
  await click(page, "#back");
  assert.strictEqual(await stepName(page), `step ${steps - 1} of ${steps}`);
}

async function plays({ page }, plan) {
  await click(page, "#play");
  assert.strictEqual(await textOf(page, "#play"), "Pause");
  await comesTo(page, 2);
  await click(page, "#play");
  const stopped = await stepName(page);
  await page.waitForTimeout(1300);
  assert.strictEqual(await stepName(page), stopped, "paused, it stays where it is");
  await page.locator("body").click({ position: { x: 2, y: 2 } });
  await press(page, "End", " ");
  await comesTo(page, 1);
  await press(page, " ");
  assert.strictEqual(await textOf(page, "#play"), "Play",
    `after step ${plan.header.steps} it starts anew`);
}

// Points at the drawn line of the first lightpath, or link, and returns where, in the window's coordinates.
async function pointAt(page, what = ".lp") {
  const spot = await page.locator(what).first().evaluate(g => {
    const e = g.querySelector("path, rect"), box = e.getBoundingClientRect();
    if (e.tagName === "rect") return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
    const p = e.getPointAtLength(e.getTotalLength() / 5), m = e.getScreenCTM();
    return { x: m.a * p.x + m.e, y: m.d * p.y + m.f };
  });
  await page.mouse.move(spot.x, spot.y);
  return spot;
}

async function hovers({ page }, plan) {
  if (!isRing(plan)) await press(page, "ArrowDown");
  await pointAt(page);
  const tip = page.locator("#tip");
  assert.ok(await tip.isVisible(), "a tooltip");
  const said = (await tip.textContent()).match(new RegExp(String.raw`^node (\d+) to node (\d+), ` +
    String.raw`([a-z-]+|by way of [\d, ]+), (\d+) hops?; (?:tapped at [\d, ]+; )?` +
    String.raw`(?:fibre (\d+), )?wavelength (\d+); block (\d+)`));
  assert.ok(said, "the tooltip says route, wavelength and block: " + await tip.textContent());
  const ways = p => p.path ? (p.path.length === 2 ? "straight" : "by way of " + p.path.slice(1, -1).join(", ")) :
    p.dir === "cw" ? "clockwise" : "counter-clockwise";
  assert.ok(inStep(plan, 1).some(p => p.src === Number(said[1]) && p.dst === Number(said[2]) && ways(p) === said[3] &&
    p.wavelength === Number(said[6]) && p.block === Number(said[7])),
    "the schedule has that lightpath in step 1: " + said[0]);
  if (!inStep(plan, 1)[0].path) assert.match(await tip.textContent(), /loss .* SNR .* bit error rate /);
  const box = await tip.boundingBox();
  assert.ok(box.x >= 0 && box.y >= 0 && box.x + box.width <= 1280 && box.y + box.height <= 900,
    "the tooltip is in the window");
  await page.mouse.move(3, 3);
  assert.ok(!await tip.isVisible(), "and goes when the mouse does");
}

// Before step 1 only the owner has the block, and who gets it are the receivers of the file.
async function assertFollowed(page, plan, block) {
  const receivers = new Set(inStep(plan, 1).filter(p => p.block === block).flatMap(readersOf));
  await isSet(page, "#what", "block");
  await isSet(page, "#which", String(block));
  assert.ok(page.url().endsWith(`#block=${block}`), "the address leads here: " + page.url());
  assert.match(await info(page), new RegExp(
    `^block ${block}: held by 1 of ${plan.header.network.nodes} nodes before step 1, ${receivers.size} get`));
  await has(page, ".node.holds", 1);
  await has(page, ".node.gets", receivers.size);
  const shown = inStep(plan, 1).filter(p => p.block === block).length;
  await has(page, ".lp:not(.dim)", shown, "its lightpaths are seen");
  await has(page, ".lp.dim", isRing(plan) ? inStep(plan, 1).length - shown : 0,
    "all others step back");
}

async function followsByMouse({ page }, plan) {
  if (!isRing(plan)) await press(page, "ArrowDown");
  const spot = await pointAt(page);
  const block = Number((await textOf(page, "#tip")).match(/block (\d+)/)[1]);
  await page.mouse.click(spot.x, spot.y);
  await assertFollowed(page, plan, block);
  const again = await page.locator(".lp:not(.dim)").first().elementHandle();
  await again.dispatchEvent("click");
  await isSet(page, "#what", "", "a second click shows all");
  await choose(page, "block", block);
  await assertFollowed(page, plan, block);
}

async function followsByKeyboard({ page }, plan) {
  await press(page, "ArrowDown", "ArrowDown");
  await has(page, ".lp.chosen", 1);
  assert.match(await info(page), new RegExp(`^2 of ${inStep(plan, 1).length}: node `));
  await press(page, "ArrowUp");
  const block = Number((await info(page)).match(/block (\d+)/)[1]);
  await press(page, "f");
  await assertFollowed(page, plan, block);
  await press(page, "End");
  const before = new Set(plan.paths.filter(p => p.block === block && p.step < plan.header.steps).flatMap(readersOf));
  assert.match(await info(page), new RegExp(
    `^block ${block}: held by ${before.size + 1} of .* before step ${plan.header.steps}, `));
  await press(page, "Escape");
  await has(page, ".lp.dim", 0);
  await isSet(page, "#what", "");
}

async function switches({ page }, plan) {
  const drawing = isRing(plan) ? "ring" : "map";
  assert.ok(await countOf(page, `svg[aria-label^=${drawing}]`));
  assert.match(await page.locator("#keys").innerText(), new RegExp(`g ${drawing} or grid`));
  await click(page, "#asgrid");
  assert.ok(await countOf(page, "svg[aria-label^=grid]"), "the grid by mouse");
  await has(page, ".lp", inStep(plan, 1).length);
  await press(page, "g");
  assert.ok(await countOf(page, `svg[aria-label^=${drawing}]`), "the drawing again by keyboard");
}

// A dot for every node that reads a lightpath on its way, and words that say so only where there are any.
async function taps({ page }, plan) {
  for (let step = 1; step <= plan.header.steps; step++) {
    const read = inStep(plan, step).reduce((sum, p) => sum + (p.taps || []).length, 0);
    for (const view of ["#asmap", "#asgrid"]) {
      await click(page, view);
      await has(page, ".lp .tap", read, `readers drawn in step ${step} of ${view}`);
    }
    await press(page, "ArrowRight");
  }
  await has(page, ".swatch", plan.paths.some(p => p.taps) ? 1 : 0, "the legend");
}

// Drawing, controls and the line that tells of them are in sight together.
async function inSight({ page }) {
  const line = await page.locator("#info").boundingBox();
  assert.ok(line.y + line.height <= 900, `the line of information ends at ${line.y + line.height} of 900 pixels`);
}

// Texts of a drawing may not cover each other.
async function labelsApart({ page }) {
  for (const view of ["#asmap", "#asgrid", "#astime", "#astree"]) {
    await click(page, view);
    const overlaps = await page.evaluate(() => {
      const boxes = [...document.querySelectorAll("#panels svg text")].map(e =>
        [e.textContent, e.getBoundingClientRect()]);
      return boxes.flatMap(([a, p], i) => boxes.slice(i + 1).filter(([, q]) =>
        p.left < q.right - 1 && q.left < p.right - 1 && p.top < q.bottom - 2 && q.top < p.bottom - 2).map(([b]) =>
        `${a} on ${b}`));
    });
    assert.deepStrictEqual(overlaps, [], "labels that overlap in " + view);
  }
}

// Every control can be reached and told where it is.
async function fits({ page }) {
  for (const view of ["", "time", "tree"])
    for (const width of [1280, 700, 400]) {
      await visit(page, "#view=" + view);
      await page.setViewportSize({ width, height: 900 });
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      assert.ok(wide <= 0, `at ${width} pixels the page is ${wide} too wide`);
    }
}

async function sideBySide({ page }) {
  const plans = ["optree", "wavefront"].map(lightpathsOf);
  await has(page, ".panel", 2);
  const panels = page.locator(".panel");
  const boxes = [await panels.nth(0).boundingBox(), await panels.nth(1).boundingBox()];
  assert.ok(boxes[0].y === boxes[1].y && boxes[0].x + boxes[0].width <= boxes[1].x, "beside each other");
  for (let i = 0; i < 2; i++)
    assert.strictEqual(await panels.nth(i).locator(".lp").count(), inStep(plans[i], 1).length);
  await press(page, "End");
  await isAt(page, plans[0], plans[0].header.steps);
  assert.match(await panels.nth(1).textContent(), new RegExp(`finished after ${plans[1].header.steps} steps`));
}

const { againstTime, trees, groups, longName, controls } =
  require("./views.js")({ folder, has, isSet, visit, appears, inStep, linkOf, readersOf, saved });

// A test has its own page; it fails too when that page complained, or asked for anything but itself.
async function run(browser, name, test) {
  const opened = await open(browser, name);
  try {
    await test(opened, ["pair", "kinds", "twins"].includes(name) ? null : lightpathsOf(name), name);
    assert.deepStrictEqual(opened.seen, { complaints: [], requests: [] });
    passed++;
  } catch (error) {
    failed++;
    console.log(`FAILED: ${name}.html, ${test.name}: ${error.message}`);
  }
  await opened.context.close();
}

// A line is a map as well, of a row of nodes.
async function lineIsMap({ page }, plan) {
  const { nodes } = plan.header.network;
  await has(page, ".line", nodes - 1);
  await pointAt(page, ".line");
  const over = inStep(plan, 1).filter(p => Math.min(p.src, p.dst) === 0).length;
  await has(page, ".lp", over, "lightpaths over the link pointed at");
  await page.mouse.move(3, 3);
  await has(page, ".lp", 0);
  await press(page, "g");
  assert.ok(await countOf(page, "svg[aria-label^=grid]"));
  await has(page, ".lp", inStep(plan, 1).length);
  assert.ok(page.url().endsWith("#view=grid"));
}

// Each filter shows the lightpaths that the file has for it, by its control, by a click and by an address.
async function filters({ page }, plan) {
  const paths = inStep(plan, 2), link = linksOf(paths[0])[0];
  const cases = { node: [String(paths[0].src), p => p.src === paths[0].src || p.dst === paths[0].src],
    link: [link, p => linksOf(p).includes(link)],
    wavelength: ["1", p => p.wavelength === 1] };
  await press(page, "ArrowRight");
  for (const [what, [which, isIn]] of Object.entries(cases)) {
    await choose(page, what, which);
    const count = paths.filter(isIn).length;
    await has(page, ".lp", count, what);
    assert.strictEqual(await info(page), `${what} ${which}: ${count} lightpath${count === 1 ? "" : "s"} in step 2`);
    await visit(page, "#step=1");
    await page.waitForFunction(() => document.getElementById("what").value === "");
    await visit(page, `#step=2&${what}=${which}`);
    await page.waitForFunction(() => document.getElementById("what").value !== "");
    await has(page, ".lp", count, "by its address");
  }
  await visit(page, "#step=1.5");
  await comesTo(page, 1);
  await press(page, "Escape");
  await page.locator(".node").nth(5).click();
  await isSet(page, "#what", "node");
  await isSet(page, "#which", "5");
}

// Stages are runs of steps in which nobody sends on what arrived in the run; OpTree's radices 4 and 4 make two.
async function stages({ page }, plan) {
  let stage = 0, fresh = new Set();
  for (let step = 1; step <= plan.header.steps; step++) {
    if (step === 1 || inStep(plan, step).some(p => fresh.has(`${p.src} ${p.block}`))) {
      stage++;
      fresh = new Set();
    }
    for (const p of inStep(plan, step)) fresh.add(`${p.dst} ${p.block}`);
    await slide(page, step);
    assert.match(await page.locator(".facts").first().textContent(), new RegExp(`, stage ${stage} of `));
  }
  assert.ok(stage > 1);
  await choose(page, "stage", "1");
  await isAt(page, plan, 1);
}

// The grid of a network names every directed link, and the blocks on it.
async function tableOfLinks({ page }, plan) {
  await press(page, "g");
  const texts = await page.locator(".drawing text").allTextContents();
  for (const [a, b] of plan.header.network.links) assert.ok(texts.includes(`${a} → ${b}`), `${a} → ${b}`);
  const hops = inStep(plan, 1).reduce((sum, p) => sum + p.path.length - 1, 0);
  await has(page, ".lp text", hops, "a number of a block on every link of a lightpath");
}

async function download(page, act) {
  const wait = page.waitForEvent("download");
  await act;
  const file = await wait;
  return { name: file.suggestedFilename(), bytes: fs.readFileSync(await file.path()) };
}
function saved(page, choice) {
  return download(page, page.locator("#save").selectOption(choice));
}

// What is saved stands alone: no variable of the page's style, and a drawing for every step.
async function saves({ page }, plan) {
  const one = await saved(page, "svg"), all = await saved(page, "steps");
  const text = one.bytes.toString();
  assert.ok(text.startsWith("<svg ") && !text.includes("var(--"), "SVG without variables");
  assert.strictEqual(all.bytes.toString().split("<svg").length - 2, plan.header.steps, "a drawing for every step");
  for (const kind of ["png", "stepspng"])
    assert.deepStrictEqual([...(await saved(page, kind)).bytes.subarray(0, 4)], [0x89, 0x50, 0x4E, 0x47], kind);
  assert.match(one.name, /-step-1\.svg$/);
  await isAt(page, plan, 1, "the page stays where it was");
}

async function savesMap({ page }, plan) {
  const text = (await download(page, click(page, "#svg"))).bytes.toString();
  assert.strictEqual(text.split('class="line').length - 1, plan.header.network.links.length);
  await visit(page, "#demand=7");
  await appears(page, "#map .route");
  assert.ok((await textOf(page, "#detail")).includes("demand 7: "));
}

// A ring of many wavelengths is a map too: its lightpaths would be too thin.
async function manyWavelengths({ page }, plan) {
  await has(page, ".line", plan.header.network.nodes);
  await has(page, ".lp", 0);
  await page.locator("#what").selectOption("block");
  await has(page, ".lp", inStep(plan, 1).filter(p => p.block === 0).length);
}

// Three of different kinds: each has its map and its name, also in the line of information.
async function kindsSideBySide({ page }) {
  const names = ["optree", "torus", "blocked"];
  await has(page, ".panel", names.length);
  assert.deepStrictEqual((await page.locator(".panel h2").allTextContents()).map(w => w.split(":")[0]), names);
  assert.strictEqual(await page.locator(".panel").nth(2).locator(".line").count(),
    lightpathsOf("blocked").header.network.links.length);
  await choose(page, "block", "3");
  const words = (await info(page)).split(" · ");
  assert.deepStrictEqual(words.map(w => w.split(": ")[0]), names);
  assert.ok(words.every(w => w.includes("block 3")), words.join());
}

// By density there is no lightpath to point at, so no hint speaks of one.
async function noHints({ page }) {
  for (const what of ["#info", "#what"]) assert.ok(!await page.locator(what).isVisible(), what + " is in sight");
  assert.strictEqual(await page.locator("#keys").innerText(), "← → step · space play · t time");
  const words = (await page.locator(".drawing text").allTextContents()).join(" ");
  assert.match(words, /^clockwise links across, wavelengths down 0 4 .* w0 w1 /, "axes");
  const box = await page.locator(".drawing svg").boundingBox();
  await page.mouse.move(box.x + box.width / 2, box.y + 100);
  assert.match(await textOf(page, "#tip"), /^clockwise, links \d+–\d+, .* % busy$/);
  assert.ok(box.height > 600, `it fills the window: ${box.height} of 900 pixels`);
}

// The map of an assignment: a line for each pair of nodes with links; nothing to play.
async function map({ page }, plan) {
  const lines = plan.header.network.links.length;
  await has(page, ".line", lines);
  await has(page, "#play", 0);
  const names = await page.locator("#map text").allTextContents();
  assert.deepStrictEqual(names, plan.header.network.names.map(name => name.replace(/ \(.*/, "")), "every name");
}

// A click on a link shows what the file puts there.
async function linkSpectrum({ page }, plan) {
  const [a, b] = plan.header.network.links[5];
  const over = plan.paths.filter(p => p.path &&
    p.path.some((v, k) => k > 0 && [a, b].includes(v) && [a, b].includes(p.path[k - 1])));
  await page.locator("[data-line='5']").dispatchEvent("click");
  await has(page, "#detail .spectrum rect[data-path]", over.length);
  await has(page, "#detail li", over.length);
  await page.locator("#detail .spectrum rect[data-path]").first().click();
  const words = await textOf(page, "#detail");
  assert.ok(words.includes(`demand ${over[0].demand}: wavelength ${over[0].wavelength}; `), words);
}

async function demandRoute({ page }, plan) {
  const p = plan.paths.find(q => q.path && q.path.length > 3), names = plan.header.network.names;
  await click(page, `#list [data-path="${plan.paths.indexOf(p)}"]`);
  assert.strictEqual(await page.locator("#map .route").getAttribute("data-hops"), String(p.path.length - 1));
  const words = await textOf(page, "#detail");
  assert.ok(words.includes(p.path.map(v => names[v]).join(" – ")) && words.includes(`wavelength ${p.wavelength};`),
    words);
  await press(page, "Escape");
  await has(page, "#map .route", 0);
  for (const no of ["-1", "0.5", "", plan.header.network.links.length]) {
    await visit(page, `#search=x&link=${no}`);
    await page.waitForFunction(() => document.getElementById("search").value === "x");
    assert.strictEqual(page.url().split("#")[1], "search=x", `link ${no}`);
    await press(page, "Escape");
  }
}

async function searchByName({ page }, plan) {
  const names = plan.header.network.names;
  const found = plan.paths.filter(p => [p.src, p.dst].some(v => names[v].includes("Houston")));
  await page.locator("#search").fill("houston");
  await has(page, "#list li", found.length);
  await has(page, "#map circle.ends", 1);
}

async function blockedDemands({ page }, plan) {
  const blocked = plan.paths.filter(p => p.path === null);
  await has(page, "#blocked li", blocked.length);
  assert.match(await page.locator("#blocked li").first().textContent(),
    /no wavelength is left for it; remedy: 9 wavelengths/);
}

// A repair of names and of several blocks on a lightpath: what failed is drawn from its step on, the steps before are
// kept.
async function repairedPage({ page }, plan) {
  const { names, failed, failed_from: from } = plan.header.network;
  for (let step = 1; step <= plan.header.steps; step++) {
    await slide(page, step);
    await has(page, "path.failed", step < from ? 0 : failed.length / 2,   // both ways
      `failed links in step ${step}`);
    assert.strictEqual((await page.locator(".facts").first().textContent()).includes("kept"), step < from);
  }
  await has(page, ".bars .kept", from - 1);
  assert.match(await page.locator(".failures").textContent(), /Salt Lake City .* - .*Ann Arbor .* from step 2 on/);
  await has(page, "text.name", names.length);
  await press(page, "g");
  await has(page, ".failedcell", failed.length);
}

async function severalBlocks({ page }, plan) {
  const at = inStep(plan, 1).findIndex(p => p.blocks && p.blocks.length > 1), p = inStep(plan, 1)[at];
  const name = plan.header.network.names[p.dst];
  for (let i = 0; i <= at; i++) await press(page, "ArrowDown");
  const words = await info(page), block = p.blocks[1];
  assert.ok(words.includes(`blocks ${p.blocks[0]}–${p.blocks[p.blocks.length - 1]}`) && words.includes(name), words);
  await choose(page, "block", block);
  const carrying = inStep(plan, 1).filter(q => q.blocks ? q.blocks.includes(block) : q.block === block);
  await has(page, ".lp:not(.dim)", carrying.length);
  assert.match(await info(page), new RegExp(`${new Set(carrying.map(q => q.dst)).size} get it in this step`));
}

// The bound that decides: where it counts over a cut or at a node, its lines and the nodes of a side are as many as its
// words say; else nothing is marked, and the words say so.
async function boundOfSchedule({ page }, plan) {
  await page.locator("#what").selectOption("bound");
  const words = await info(page), nodes = plan.header.network.nodes;
  assert.ok(page.url().endsWith("#bound=highest"));
  if (words.endsWith("Nothing is marked: it counts over no cut and at no single node."))
    return has(page, ".cut, .line.dim, circle.side", 0, words);
  const [, from = nodes - 1, to = 1, pass] = words.match(new RegExp(String.raw`^At least \d+ steps? \(\w+\): \d+ ` +
    String.raw`blocks must (?:pass from (\d+) nodes? to the other (\d+)|reach one node), and (\d+) `))
    .map(n => n && Number(n));
  assert.strictEqual(from + to, nodes);
  await has(page, "circle.side", from);
  const each = plan.header.network.wavelengths * (Math.max(1, ...plan.paths.map(p => (p.blocks || [0]).length)));
  await has(page, ".cut", pass / each, "channels of the cut, one way");
  await press(page, "Escape");
  await has(page, ".cut", 0);
}

// The cut of an assignment: the pairs across it over its lines are the wavelengths.
async function cutOfAssignment({ page }, plan) {
  await has(page, ".cut", 0);
  await click(page, "#proof");
  const lines = await countOf(page, ".cut"), side = await countOf(page, "circle.side");
  assert.strictEqual(lines, plan.header.bound.lengths.filter(n => n > 0).length);
  assert.strictEqual(Math.ceil(side * (plan.header.network.nodes - side) / lines), plan.header.bound.value);
  const words = await textOf(page, "#detail");
  assert.ok(words.includes(`At least ${plan.header.bound.value} wavelengths (cut)`), words);
  assert.ok(page.url().endsWith("#proof=1"));
  await press(page, "Escape");
  await has(page, ".cut", 0);
  await visit(page, "#proof=1");
  await appears(page, ".cut");
}

// The spectrum of all links, once it is opened, has what the file puts on them.
async function wholeSpectrum({ page }, plan) {
  await click(page, "#whole summary");
  await appears(page, "#whole .spectrum");
  const hops = plan.paths.reduce((sum, p) => sum + (p.path || [0]).length - 1, 0);
  await has(page, "#whole rect[data-path]", hops);
  assert.match((await download(page, click(page, "#png"))).name, /\.png$/);
}

// Two assignments: their own titles and proofs, and no control of steps or times.
async function assignmentsSideBySide({ page }) {
  const plans = ["proven", "blocked"].map(lightpathsOf);
  for (const id of ["#play", "#slider", "#astime", "#astree"])
    assert.ok(!await page.locator(id).isVisible(), id + " is in sight");
  const titles = await page.locator(".panel h2").allTextContents();
  plans.forEach((plan, i) => assert.match(titles[i], new RegExp(
    `^\\w+: ${plan.paths.filter(p => p.path).length} of ${plan.paths.length} two-way lightpaths`)));
  await page.locator("#what").selectOption("bound");
  for (let i = 0; i < plans.length; i++)
    assert.strictEqual(await page.locator(".panel").nth(i).locator(".cut").count(),
      plans[i].header.bound.lengths.filter(n => n > 0).length);
  assert.match(await info(page), /^proven: At least 13 wavelengths \(cut\).* · blocked: At least 13 wavelengths /);
}

// Pages and their tests.
const TESTS = [
  ...PLANS.map(name => [name, slider, stepKeys, plays, hovers, followsByMouse, followsByKeyboard, switches, taps,
    labelsApart, inSight, fits, trees]),
  ["line", lineIsMap, trees], ["torus", filters, tableOfLinks, saves, controls, againstTime, boundOfSchedule],
  ["optree", stages, saves, groups, boundOfSchedule], ["sums", againstTime, trees], ["long", longName],
  ["many", manyWavelengths], ["across", boundOfSchedule], ["proven", cutOfAssignment, fits],
  ["repaired", repairedPage, severalBlocks, fits], ["dense", noHints],
  ["blocked", controls, wholeSpectrum, savesMap, map, linkSpectrum, demandRoute, searchByName, blockedDemands, fits],
  ["pair", sideBySide, fits], ["twins", assignmentsSideBySide, fits], ["kinds", kindsSideBySide, fits]];

async function main() {
  const browser = await chromium.launch({ executablePath, headless: true, args: FLAGS });
  for (const [name, ...tests] of TESTS)
    for (const test of tests) await run(browser, name, test);
  await browser.close();
  console.log(`browser: ${passed} passed, ${failed} failed`);
  process.exitCode = failed > 0 ? 1 : 0;
}
main();
