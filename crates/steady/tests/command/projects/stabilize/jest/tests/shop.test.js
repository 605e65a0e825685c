const url = process.env.STEADY_URL;

describe('orders', () => {
  test('are complete', async () => {
    const answer = await fetch(`${url}/orders/61`);
    expect(answer.status).toBe(200);
    const order = await answer.json();
    // The item never changes.
    expect(order.item).toBe('lamp');
    expect(order.tags).toEqual(['green', 'blue', 'red']);
    expect(order.supplier).toBe('f47ac10b-58cc-4372-a567-0e02b2c3d479');
  });
});

test('a quote adds up', async () => {
  const answer = await fetch(`${url}/quote`);
  expect(await answer.json()).toEqual({ base: 500, jitter: 37, total: 537, currency: 'EUR' });
});
