// Reads moments however they are written.

const { Exactly } = require("./steady_support.js");

// How many seconds a recent time may be away from the response's `Date`, or from now when it has none.
const RECENT = 3600;

const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
const FORMATS = {
  // Minutes, seconds, colons and hyphens may be missing, and a zone may be named: that is how many write it.
  rfc3339: new RegExp(
    "^(?<year>\\d{4})-?(?<month>\\d{2})-?(?<day>\\d{2})[Tt ](?<hour>\\d{2})" +
      "(?::?(?<minute>\\d{2})(?::?(?<second>\\d{2})(?:[.,](?<fraction>\\d{1,9}))?)?)?" +
      "(?:[Zz]|(?<sign>[+-])(?<hours>\\d{2})(?::?(?<minutes>\\d{2}))?)(?:\\[[^\\]]*\\])*$",
  ),
  http: new RegExp(
    "^(?:[A-Z][a-z]{2}, )?(?<day>\\d{1,2}) (?<month>[A-Z][a-z]{2}) (?<year>\\d{4}) " +
      "(?<hour>\\d{2}):(?<minute>\\d{2})(?::(?<second>\\d{2}))? " +
      "(?:GMT|UTC?|Z|(?<sign>[+-])(?<hours>\\d{2})(?<minutes>\\d{2}))$",
  ),
};
const UNITS = { seconds: 1, milliseconds: 1e3, microseconds: 1e6, nanoseconds: 1e9 };

/** Seconds since 1970; undefined when the value is no time of this format. */
function moment(value, format) {
  if (format in UNITS) {
    const number = value instanceof Exactly ? value.digits : value;
    const isTime = typeof number === "number" || (typeof number === "string" && /^\d+(\.\d+)?$/.test(number));
    return isTime ? Number(number) / UNITS[format] : undefined;
  }
  const found = typeof value === "string" ? FORMATS[format].exec(value) : null;
  return found === null ? undefined : seconds(found.groups);
}

function seconds({ year, month, day, fraction = "0", sign, ...clock }) {
  const index = /\d/.test(month) ? Number(month) - 1 : MONTHS.indexOf(month);
  const date = new Date(Date.UTC(Number(year), index, Number(day)));
  const [hour, minute, second, hours, minutes] = ["hour", "minute", "second", "hours", "minutes"].map((name) =>
    Number(clock[name] ?? 0),
  );
  // There is no 30 February; the 60th second is a leap second.
  const isDate = date.getUTCMonth() === index && date.getUTCDate() === Number(day);
  const isClock = hour < 24 && minute < 60 && second <= 60 && hours < 24 && minutes < 60;
  if (!isDate || !isClock) {
    return undefined;
  }
  const offset = (hours * 3600 + minutes * 60) * (sign === "-" ? -1 : 1);
  return date.getTime() / 1000 + hour * 3600 + minute * 60 + second + Number(`0.${fraction}`) - offset;
}

module.exports = { RECENT, moment };
