const assert = require('node:assert');
const { open, wait } = require('./page.cjs');

async function main() {
  const page = open();
  await wait(150);
  assert.equal(page.text, 'ready');
}

main();
