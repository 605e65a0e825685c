// Imitates a program that draws from every source Node has.
import { randomBytes, randomUUID } from "node:crypto";

console.log("drawn Math.random", Math.random());
console.log("drawn randomUUID", randomUUID());
console.log("drawn randomBytes", randomBytes(8).toString("hex"));
console.log("end");
