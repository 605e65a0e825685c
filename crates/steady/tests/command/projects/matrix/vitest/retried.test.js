import { test } from 'vitest';

let attempts = 0;

test('passes on its second attempt', { retry: 2 }, () => {
  if (++attempts === 1) throw new Error('boom');
});
