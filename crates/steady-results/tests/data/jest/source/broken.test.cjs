require('./nothing-of-this-name');
test('never runs', () => {});
