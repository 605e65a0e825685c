// A page that is ready a known time after it was opened, on a clock that only `wait` moves: no load of the machine makes a
// test fail that waits long enough, or pass one that does not.

const fs = require('node:fs');
const path = require('node:path');

const NEEDED = 137;
// What a run needs more than the one before: by its number, so that any four runs in a row hold all of it.
const JITTER = [0, 25, 40, 10];

let now = 0;

// The number of this run, kept in a file beside this one.
function run() {
  const file = path.join(__dirname, 'runs');
  const number = fs.existsSync(file) ? Number(fs.readFileSync(file, 'utf8')) : 0;
  fs.writeFileSync(file, String(number + 1));
  return number;
}

// Moves the clock; also takes real time if `WAITS_PACE` says what share of it.
async function wait(milliseconds) {
  now += milliseconds;
  const pace = Number(process.env.WAITS_PACE ?? 0);
  if (pace > 0) {
    await new Promise((resolve) => setTimeout(resolve, milliseconds * pace));
  }
}

function open() {
  const ready = now + NEEDED + JITTER[run() % JITTER.length];
  return {
    get text() {
      return now >= ready ? 'ready' : 'loading';
    },
  };
}

module.exports = { open, wait };
