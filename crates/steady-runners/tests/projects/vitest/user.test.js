import fs from 'node:fs';
import { test } from 'vitest';

const log = id => fs.appendFileSync(process.env.STEADY_TEST_LOG, `user.test.js::${id}\n`);

test('logs in', () => log('logs in'));

test('is admin', () => {
  log('is admin');
  throw new Error('no such role');
});
