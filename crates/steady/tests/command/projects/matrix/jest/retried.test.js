let attempts = 0;

jest.retryTimes(2);

test('passes on its second attempt', () => {
  if (++attempts === 1) throw new Error('boom');
});
