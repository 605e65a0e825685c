// Reads moments however they are written.

const { Exactly } = require("./steady_support.js");

// How many seconds a recent time may be away from the response's `Date`, or from now when it has none.
const RECENT = 3600;

const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
const RFC3339 =
  /^(\d{4})-(\d{2})-(\d{2})[Tt ](\d{2}):(\d{2}):(\d{2})(\.\d+)?(?:[Zz]|([+-])(\d{2}):(\d{2}))$/;
const HTTP = /^[A-Z][a-z]{2}, (\d{2}) ([A-Z][a-z]{2}) (\d{4}) (\d{2}):(\d{2}):(\d{2}) GMT$/;
const UNITS = { seconds: 1, milliseconds: 1e3, microseconds: 1e6, nanoseconds: 1e9 };

/** Seconds since 1970; undefined when the value is no time of this format. */
function moment(value, format) {
  if (format in UNITS) {
    const number = value instanceof Exactly ? value.digits : value;
    const isTime = typeof number === "number" || (typeof number === "string" && /^\d+(\.\d+)?$/.test(number));
    return isTime ? Number(number) / UNITS[format] : undefined;
  }
  const found = typeof value === "string" ? (format === "http" ? HTTP : RFC3339).exec(value) : null;
  if (found === null) {
    return undefined;
  }
  if (format === "http") {
    const [, day, month, year, ...clock] = found;
    return seconds(year, MONTHS.indexOf(month) + 1, day, clock);
  }
  const [, year, month, day, hour, minute, second, fraction = "0", sign, hours = "0", minutes = "0"] = found;
  const offset = seconds(1970, 1, 1, [hours, minutes, 0]) * (sign === "-" ? -1 : 1);
  const time = seconds(year, month, day, [hour, minute, second]) + Number(fraction) - offset;
  return Number.isNaN(time) ? undefined : time;
}

/** The seconds from 1970 to a moment; undefined when there is no such one. */
function seconds(year, month, day, clock) {
  const [hour, minute, second] = clock.map(Number);
  const date = new Date(Date.UTC(Number(year), month - 1, Number(day)));
  // There is no 30 February; the 60th second is a leap second.
  const isDate = date.getUTCMonth() === month - 1 && date.getUTCDate() === Number(day);
  const isClock = hour < 24 && minute < 60 && second <= 60;
  return isDate && isClock ? date.getTime() / 1000 + hour * 3600 + minute * 60 + second : undefined;
}

module.exports = { RECENT, moment };
