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
async function open(browser, name, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
  const page = await context.newPage();
  const address = "file://" + path.resolve(folder, name + ".html");
  const seen = { complaints: [], requests: [] };
  page.on("console", m => { if (m.type() === "error" || m.type() === "warning") seen.complaints.push(m.text()); });
  page.on("pageerror", e => seen.complaints.push(String(e)));
  await context.route("**", route => {
    const url = route.request().url();
    if (url === address || url.startsWith("data:")) return route.continue();
    seen.requests.push(url);
    return route.abort();
  });
  await page.goto(address);
  return { page, context, seen };
}

const stepName = page => page.locator("#stepname").textContent();
const info = page => page.locator("#info").textContent();
const countOf = (page, selector) => page.locator(selector).count();
const inStep = (plan, step) => plan.paths.filter(p => p.step === step);
const readersOf = p => [...(p.taps || []), p.dst];

async function slider({ page }, plan) {
  for (let step = 1; step <= plan.header.steps; step++) {
    await page.locator("#slider").fill(String(step));
    assert.strictEqual(await stepName(page), `step ${step} of ${plan.header.steps}`);
    assert.strictEqual(await countOf(page, ".lp"), inStep(plan, step).length, `lightpaths drawn in step ${step}`);
  }
  await page.locator("#slider").focus();
  await page.keyboard.press("Home");
  await page.keyboard.press("ArrowRight");
  assert.strictEqual(await stepName(page), `step 2 of ${plan.header.steps}`, "an arrow on the slider is one step");
}

async function stepKeys({ page }, plan) {
  const steps = plan.header.steps;
  await page.keyboard.press("ArrowRight");
  assert.strictEqual(await stepName(page), `step 2 of ${steps}`);
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("ArrowLeft");
  assert.strictEqual(await stepName(page), `step 1 of ${steps}`, "there is no step 0");
  await page.keyboard.press("End");
  await page.locator("#next").click();
  assert.strictEqual(await stepName(page), `step ${steps} of ${steps}`, "there is none after the last");
  await page.locator("#back").click();
  assert.strictEqual(await stepName(page), `step ${steps - 1} of ${steps}`);
}

async function plays({ page }, plan) {
  await page.locator("#play").click();
  assert.strictEqual(await page.locator("#play").textContent(), "Pause");
  await page.waitForFunction(() => document.getElementById("stepname").textContent.startsWith("step 2 "));
  await page.locator("#play").click();
  const stopped = await stepName(page);
  await page.waitForTimeout(1300);
  assert.strictEqual(await stepName(page), stopped, "paused, it stays where it is");
  await page.locator("body").click({ position: { x: 2, y: 2 } });
  await page.keyboard.press("End");
  await page.keyboard.press(" ");
  await page.waitForFunction(() => document.getElementById("stepname").textContent.startsWith("step 1 "));
  await page.keyboard.press(" ");
  assert.strictEqual(await page.locator("#play").textContent(), "Play",
    `after step ${plan.header.steps} it starts anew`);
}

// A point on the drawn line of lightpath i, in the window's coordinates.
const pointOn = (page, i) => page.locator(".lp").nth(i).evaluate(g => {
  const e = g.querySelector("path, rect"), box = e.getBoundingClientRect();
  if (e.tagName === "rect") return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  const p = e.getPointAtLength(e.getTotalLength() / 2), m = e.getScreenCTM();
  return { x: m.a * p.x + m.e, y: m.d * p.y + m.f };
});

async function hovers({ page }, plan) {
  const spot = await pointOn(page, 0);
  await page.mouse.move(spot.x, spot.y);
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
  assert.strictEqual(await page.locator("#follow").inputValue(), String(block));
  assert.match(await info(page), new RegExp(
    `^block ${block}: held by 1 of ${plan.header.network.nodes} nodes before step 1, ${receivers.size} get`));
  if (await page.locator("#asring").getAttribute("aria-pressed") === "true") {
    assert.strictEqual(await countOf(page, ".node.holds"), 1);
    assert.strictEqual(await countOf(page, ".node.gets"), receivers.size);
  }
  const others = inStep(plan, 1).filter(p => p.block !== block).length;
  assert.strictEqual(await countOf(page, ".lp.dim"), others, "all others step back");
}

async function followsByMouse({ page }, plan) {
  const spot = await pointOn(page, 0);
  await page.mouse.move(spot.x, spot.y);
  const block = Number((await page.locator("#tip").textContent()).match(/block (\d+)/)[1]);
  await page.mouse.click(spot.x, spot.y);
  await assertFollowed(page, plan, block);
  await page.mouse.click(spot.x, spot.y);
  assert.strictEqual(await countOf(page, ".lp.dim"), 0, "a second click follows none");
  await page.locator("#follow").selectOption(String(block));
  await assertFollowed(page, plan, block);
}

async function followsByKeyboard({ page }, plan) {
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowDown");
  assert.strictEqual(await countOf(page, ".lp.chosen"), 1);
  assert.match(await info(page), new RegExp(`^2 of ${inStep(plan, 1).length}: node `));
  await page.keyboard.press("ArrowUp");
  const block = Number((await info(page)).match(/block (\d+)/)[1]);
  await page.keyboard.press("f");
  await assertFollowed(page, plan, block);
  await page.keyboard.press("End");
  const before = new Set(plan.paths.filter(p => p.block === block && p.step < plan.header.steps).flatMap(readersOf));
  assert.match(await info(page), new RegExp(
    `^block ${block}: held by ${before.size + 1} of .* before step ${plan.header.steps}, `));
  await page.keyboard.press("Escape");
  assert.strictEqual(await countOf(page, ".lp.dim"), 0);
  assert.strictEqual(await page.locator("#follow").inputValue(), "");
}

async function switches({ page }, plan) {
  const drawing = inStep(plan, 1)[0].path ? "network" : "ring";
  assert.ok(await countOf(page, `svg[aria-label^=${drawing}]`));
  assert.match(await page.locator(".keys").innerText(), new RegExp(`g ${drawing} or grid`));
  await page.locator("#asgrid").click();
  assert.ok(await countOf(page, "svg[aria-label^=grid]"), "the grid by mouse");
  assert.strictEqual(await countOf(page, ".lp"), inStep(plan, 1).length);
  await page.keyboard.press("g");
  assert.ok(await countOf(page, `svg[aria-label^=${drawing}]`), "the drawing again by keyboard");
}

// A dot for every node that reads a lightpath on its way, and words that say so only where there are any.
async function taps({ page }, plan) {
  for (let step = 1; step <= plan.header.steps; step++) {
    const read = inStep(plan, step).reduce((sum, p) => sum + (p.taps || []).length, 0);
    for (const view of ["#asring", "#asgrid"]) {
      await page.locator(view).click();
      assert.strictEqual(await countOf(page, ".lp .tap"), read, `readers drawn in step ${step} of ${view}`);
    }
    await page.keyboard.press("ArrowRight");
  }
  assert.strictEqual(await countOf(page, ".swatch"), plan.paths.some(p => p.taps) ? 1 : 0, "the legend");
}

// Drawing, controls and the line that tells of them are in sight together.
async function inSight({ page }) {
  const line = await page.locator("#info").boundingBox();
  assert.ok(line.y + line.height <= 900, `the line of information ends at ${line.y + line.height} of 900 pixels`);
}

// Texts of a drawing may not cover each other.
async function labelsApart({ page }) {
  for (const view of ["#asring", "#asgrid"]) {
    await page.locator(view).click();
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
  for (const width of [1280, 700, 400]) {
    await page.setViewportSize({ width, height: 900 });
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    assert.ok(wide <= 0, `at ${width} pixels the page is ${wide} too wide`);
  }
}

async function sideBySide({ page }) {
  const plans = ["optree", "wavefront"].map(lightpathsOf);
  assert.strictEqual(await countOf(page, ".panel"), 2);
  const panels = page.locator(".panel");
  const boxes = [await panels.nth(0).boundingBox(), await panels.nth(1).boundingBox()];
  assert.ok(boxes[0].y === boxes[1].y && boxes[0].x + boxes[0].width <= boxes[1].x, "beside each other");
  for (let i = 0; i < 2; i++)
    assert.strictEqual(await panels.nth(i).locator(".lp").count(), inStep(plans[i], 1).length);
  await page.keyboard.press("End");
  assert.strictEqual(await stepName(page), `step ${plans[0].header.steps} of ${plans[0].header.steps}`);
  assert.match(await panels.nth(1).textContent(), new RegExp(`finished after ${plans[1].header.steps} steps`));
}

// A test has its own page; it fails too when that page complained, or asked for anything but itself.
async function run(browser, name, what, test) {
  const opened = await open(browser, name);
  try {
    await test(opened, name === "pair" ? null : lightpathsOf(name));
    assert.deepStrictEqual(opened.seen, { complaints: [], requests: [] });
    passed++;
  } catch (error) {
    failed++;
    console.log(`FAILED: ${name}.html, ${what}: ${error.message}`);
  }
  await opened.context.close();
}

// A line is drawn as a grid only, so nothing offers another view.
async function gridOnly({ page }, plan) {
  for (const what of ["#asring", "#asgrid", "#gridkey"])
    assert.ok(!await page.locator(what).isVisible(), what + " is in sight");
  await page.keyboard.press("g");
  assert.ok(await countOf(page, "svg[aria-label^=grid]"));
  assert.strictEqual(await countOf(page, ".lp"), inStep(plan, 1).length);
}

// By density there is no lightpath to point at, so no hint speaks of one.
async function noHints({ page }) {
  for (const what of ["#info", "#lightkeys", "#follow"])
    assert.ok(!await page.locator(what).isVisible(), what + " is in sight");
}

// The map of an assignment: a line for each pair of nodes with links; nothing to play.
async function map({ page }, plan) {
  const lines = plan.header.network.links.length;
  assert.strictEqual(await countOf(page, ".line"), lines);
  assert.strictEqual(await countOf(page, "#play"), 0);
  const names = await page.locator("#map text").allTextContents();
  assert.ok(names.every(name => plan.header.network.names.includes(name)) && names.length > 10, "names of nodes");
}

// A click on a link shows what the file puts there.
async function linkSpectrum({ page }, plan) {
  const [a, b] = plan.header.network.links[5];
  const over = plan.paths.filter(p => p.path &&
    p.path.some((v, k) => k > 0 && [a, b].includes(v) && [a, b].includes(p.path[k - 1])));
  await page.locator("[data-line='5']").dispatchEvent("click");
  assert.strictEqual(await countOf(page, "#detail .spectrum rect[data-path]"), over.length);
  assert.strictEqual(await countOf(page, "#detail li"), over.length);
  await page.locator("#detail .spectrum rect[data-path]").first().click();
  const words = await page.locator("#detail").textContent();
  assert.ok(words.includes(`demand ${over[0].demand}: wavelength ${over[0].wavelength}; `), words);
}

async function demandRoute({ page }, plan) {
  const p = plan.paths.find(q => q.path && q.path.length > 3), names = plan.header.network.names;
  await page.locator(`#list [data-path="${plan.paths.indexOf(p)}"]`).click();
  assert.strictEqual(await countOf(page, "#map .route"), p.path.length - 1);
  const words = await page.locator("#detail").textContent();
  assert.ok(words.includes(p.path.map(v => names[v]).join(" – ")) && words.includes(`wavelength ${p.wavelength};`),
    words);
  await page.keyboard.press("Escape");
  assert.strictEqual(await countOf(page, "#map .route"), 0);
}

async function searchByName({ page }, plan) {
  const names = plan.header.network.names;
  const found = plan.paths.filter(p => [p.src, p.dst].some(v => names[v].includes("Houston")));
  await page.locator("#search").fill("houston");
  assert.strictEqual(await countOf(page, "#list li"), found.length);
  assert.strictEqual(await countOf(page, "#map circle.ends"), 1);
}

async function blockedDemands({ page }, plan) {
  const blocked = plan.paths.filter(p => p.path === null);
  assert.strictEqual(await countOf(page, "#blocked li"), blocked.length);
  assert.match(await page.locator("#blocked li").first().textContent(),
    /no wavelength is left for it; remedy: 9 wavelengths/);
}

// A repair of names and of several blocks on a lightpath: what failed is drawn from its step on, the steps before are
// kept.
async function repairedPage({ page }, plan) {
  const { names, failed, failed_from: from } = plan.header.network;
  for (let step = 1; step <= plan.header.steps; step++) {
    await page.locator("#slider").fill(String(step));
    assert.strictEqual(await countOf(page, "path.failed"), step < from ? 0 : failed.length,
      `failed links in step ${step}`);
    assert.strictEqual((await page.locator(".facts").first().textContent()).includes("kept"), step < from);
  }
  assert.strictEqual(await countOf(page, ".bars .kept"), from - 1);
  assert.match(await page.locator(".failures").textContent(), /Salt Lake City .* - .*Ann Arbor .* from step 2 on/);
  assert.strictEqual(await countOf(page, "text.name"), names.length);
  await page.keyboard.press("g");
  assert.strictEqual(await countOf(page, ".failedcell"), failed.length);
}

async function severalBlocks({ page }, plan) {
  const at = inStep(plan, 1).findIndex(p => p.blocks && p.blocks.length > 1), p = inStep(plan, 1)[at];
  const name = plan.header.network.names[p.dst];
  for (let i = 0; i <= at; i++) await page.keyboard.press("ArrowDown");
  const words = await info(page), block = p.blocks[1];
  assert.ok(words.includes(`blocks ${p.blocks[0]}–${p.blocks[p.blocks.length - 1]}`) && words.includes(name), words);
  await page.locator("#follow").selectOption(String(block));
  const carrying = inStep(plan, 1).filter(q => q.blocks ? q.blocks.includes(block) : q.block === block);
  assert.strictEqual(await countOf(page, ".lp:not(.dim)"), carrying.length);
  assert.match(await info(page), new RegExp(`${new Set(carrying.map(q => q.dst)).size} get it in this step`));
}

async function main() {
  const browser = await chromium.launch({ executablePath, headless: true, args: FLAGS });
  const tests = { slider, stepKeys, plays, hovers, followsByMouse, followsByKeyboard, switches, taps, labelsApart,
    inSight, fits };
  for (const name of PLANS)
    for (const what in tests) await run(browser, name, what, tests[what]);
  await run(browser, "line", "gridOnly", gridOnly);
  for (const [what, test] of Object.entries({ repairedPage, severalBlocks, fits }))
    await run(browser, "repaired", what, test);
  await run(browser, "dense", "noHints", noHints);
  const ofMaps = { map, linkSpectrum, demandRoute, searchByName, blockedDemands, fits };
  for (const what in ofMaps) await run(browser, "blocked", what, ofMaps[what]);
  await run(browser, "pair", "sideBySide", sideBySide);
  await run(browser, "pair", "fits", fits);
  await browser.close();
  console.log(`browser: ${passed} passed, ${failed} failed`);
  process.exitCode = failed > 0 ? 1 : 0;
}
main();
