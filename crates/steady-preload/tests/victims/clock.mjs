// Imitates a service: for every line it reads, it says what each of its clocks shows.
import { execFileSync } from "node:child_process";
import { createInterface } from "node:readline";
import { Worker } from "node:worker_threads";

const nanoseconds = (milliseconds) => `${BigInt(milliseconds) * 1_000_000n}`;

const inAWorker = () =>
  new Promise((resolve, reject) => {
    const worker = new Worker("require('worker_threads').parentPort.postMessage(Date.now())", { eval: true });
    worker.once("message", resolve).once("error", reject);
  });

for await (const _ of createInterface({ input: process.stdin })) {
  console.log("wall", "Date.now", nanoseconds(Date.now()));
  console.log("wall", "new-Date", nanoseconds(new Date().getTime()));
  console.log("wall", "worker", nanoseconds(await inAWorker()));
  console.log("wall", "child", nanoseconds(Number(execFileSync(process.execPath, ["-p", "Date.now()"]))));
  console.log("monotonic", "hrtime", `${process.hrtime.bigint()}`);
  console.log("end");
}
