let attempts = 0;

it('passes on its second attempt', function () {
  this.retries(2);
  if (++attempts === 1) throw new Error('boom');
});
