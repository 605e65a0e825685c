const { test } = require('@playwright/test');

test.describe.configure({ retries: 2 });

test('passes on its second attempt', ({}, testInfo) => {
  if (testInfo.retry === 0) throw new Error('boom');
});
