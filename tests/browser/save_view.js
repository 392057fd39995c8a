// SPDX-License-Identifier: GPL-3.0-or-later
// Saves the view of a page as "Save" does.  Usage: NODE_PATH=… node save_view.js CHROMIUM PAGE.html[#VIEW] FILE.svg
"use strict";
const path = require("node:path");
const { chromium } = require("playwright-core");

async function main([executablePath, address, file]) {
  const [page, view] = address.split("#"), browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
  const tab = await browser.newPage({ viewport: { width: 1280, height: 700 } });
  await tab.goto(`file://${path.resolve(page)}#${view || ""}`);
  const wait = tab.waitForEvent("download");
  await tab.locator("#save").selectOption("svg");
  await (await wait).saveAs(file);
  await browser.close();
}
main(process.argv.slice(2));
