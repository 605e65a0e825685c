const fs = require('node:fs');
const log = id => fs.appendFileSync(process.env.STEADY_TEST_LOG, `test/user.spec.js::${id}\n`);

it('logs in', () => log('logs in'));

it('is admin', () => {
  log('is admin');
  throw new Error('no such role');
});
