import { createRequire } from 'node:module';
import { describe, expect, test } from 'vitest';

const { open, wait } = createRequire(import.meta.url)('./page.cjs');

describe('cart', () => {
  test('shows what is in it', async () => {
    const page = open();
    await wait(150);
    expect(page.text).toBe('ready');
  });

  test('can be empty', async () => {
    await wait(300);
    expect([].length).toBe(0);
  });
});
