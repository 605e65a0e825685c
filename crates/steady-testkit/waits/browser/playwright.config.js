// Without the network, and without the sandbox that root cannot have.
const args = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

module.exports = {
  testDir: '.',
  workers: 1,
  use: { launchOptions: { executablePath: '/usr/bin/chromium', args } },
};
