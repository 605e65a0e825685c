// Imitates a program that waits in every way Node has; none may notice a clock that is shifted or jumps.
import { execFile } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";

const milliseconds = 150;

const waits = {
  setTimeout: () => new Promise((resolve) => setTimeout(resolve, milliseconds)),
  setInterval: () =>
    new Promise((resolve) => {
      const interval = setInterval(() => resolve(clearInterval(interval)), milliseconds);
    }),
  promised: () => sleep(milliseconds),
  atomics: () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds),
  abort: () =>
    new Promise((resolve) => AbortSignal.timeout(milliseconds).addEventListener("abort", resolve, { once: true })),
  child: () => new Promise((resolve) => execFile("sleep", ["60"], { timeout: milliseconds }, resolve)),
};

// An abort signal does not keep the process alive.
const alive = setInterval(() => {}, 1000);
for (const [name, wait] of Object.entries(waits)) {
  const start = process.hrtime.bigint();
  await wait();
  console.log(`waited ${name} ${process.hrtime.bigint() - start} ${milliseconds * 1_000_000}`);
}
clearInterval(alive);
console.log("end");
