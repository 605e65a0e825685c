// What the tests of this folder expect with, beyond what `expect` knows by itself.
//
//   expect(response.at("/id")).toBeOfType("integer");
//   expect(response.at("/total")).toBeSumOf(response.at("/price"), response.at("/shipping"));

const { Exactly, parse, stringify, typeOf } = require("./steady_support.js");
const { RECENT, moment } = require("./steady_time.js");

// By how much of its size a sum or product may miss: as much as floating-point arithmetic loses.
const ROUNDING = 1e-9;

const matchers = {
  toHaveStatus(response, expected) {
    return {
      pass: response.status === expected,
      message: () => `status: expected ${expected}, got ${response.status}\n\n${response}`,
    };
  },
  toHaveSize(value, expected) {
    return result(Array.isArray(value) && value.length === expected, `an array of ${expected}`, value);
  },
  toBeOfType(value, expected) {
    const actual = typeOf(value);
    const pass = actual === expected || (expected === "number" && actual === "integer");
    return result(pass, `the type ${expected}`, value);
  },
  /** The same as what is found elsewhere. */
  toBeSameAs(value, other) {
    return result(same(value, other), shown(other), value);
  },
  /** The sum of the numbers found elsewhere, but for rounding. */
  toBeSumOf(value, ...terms) {
    return computed(value, "sum", terms, (sum, term) => sum + term, 0);
  },
  /** The product of the numbers found elsewhere, but for rounding. */
  toBeProductOf(value, ...factors) {
    return computed(value, "product", factors, (product, factor) => product * factor, 1);
  },
  /** How many items the array found elsewhere has. */
  toBeSizeOf(value, array) {
    const size = Array.isArray(array) ? array.length : undefined;
    return result(size !== undefined && value === size, `${size}, the size of an array`, value);
  },
  /** An array of these items, in any order. */
  toHaveInAnyOrder(value, items) {
    const sorted = (array) => array.map(canonical).sort().join();
    const pass = Array.isArray(value) && value.length === items.length && sorted(value) === sorted(items);
    return result(pass, `in any order ${shown(items)}`, value);
  },
  /** A JSON web token whose header and claims have at least these fields. */
  toBeJwt(value, { header = {}, claims = {} } = {}) {
    const token = decoded(value);
    const pass = token !== undefined && contains(token.header, header) && contains(token.claims, claims);
    return result(pass, `a JSON web token with ${shown({ header, claims })}`, token ?? value);
  },
  /** A time of this format, near the one the response was given at. */
  toBeRecent(value, format, response) {
    const [time, given] = [moment(value, format), moment(response.header("date"), "http") ?? Date.now() / 1000];
    const pass = time !== undefined && Math.abs(time - given) <= RECENT;
    const expected = `a time as ${format}, ${RECENT} seconds from ${new Date(given * 1000).toISOString()} at most`;
    return result(pass, expected, value);
  },
  toBeOneOf(value, values) {
    return result(values.some((other) => same(value, other)), `one of ${shown(values)}`, value);
  },
  toBeAtLeast(value, least) {
    return result(isNumber(value) && exact(value) >= exact(least), `a number from ${shown(least)}`, value);
  },
  toBeAtMost(value, most) {
    return result(isNumber(value) && exact(value) <= exact(most), `a number up to ${shown(most)}`, value);
  },
  toBeBetween(value, least, most) {
    const pass = isNumber(value) && exact(value) >= exact(least) && exact(value) <= exact(most);
    return result(pass, `a number from ${shown(least)} to ${shown(most)}`, value);
  },
};

function result(pass, expected, value) {
  return { pass, message: () => `expected ${expected}, got ${shown(value)}` };
}

function shown(value) {
  return value === undefined ? "nothing" : stringify(value).slice(0, 300);
}

function computed(value, name, numbers, step, start) {
  const number = numbers.map(computable).reduce(step, start);
  const actual = computable(value);
  const pass = Math.abs(actual - number) <= ROUNDING * Math.max(1, Math.abs(actual), Math.abs(number));
  return result(pass, `${number}, the ${name} of ${numbers.map(shown).join(" and ")}`, value);
}

/** A number as JavaScript computes with it; NaN for anything else. */
function computable(value) {
  return isNumber(value) ? Number(exact(value)) : NaN;
}

function isNumber(value) {
  return typeof value === "number" || value instanceof Exactly;
}

/** A number that compares exactly with others. */
function exact(number) {
  return number instanceof Exactly ? BigInt(number.digits) : number;
}

/** Whether two JSON values are the same; nothing is not the same as nothing. */
function same(left, right) {
  return left !== undefined && right !== undefined && canonical(left) === canonical(right);
}

/** The same text for the same JSON value: objects by their sorted keys. */
function canonical(value) {
  if (Array.isArray(value)) {
    return `[${value.map(canonical).join(",")}]`;
  }
  if (typeof value === "object" && value !== null && !(value instanceof Exactly)) {
    const fields = Object.keys(value).sort();
    return `{${fields.map((key) => `${JSON.stringify(key)}:${canonical(value[key])}`).join(",")}}`;
  }
  return stringify(value);
}

/** The header and the claims of a JSON web token; undefined for anything else. */
function decoded(token) {
  const parts = typeof token === "string" ? token.split(".") : [];
  const isEncoded = (part) => Buffer.from(part, "base64url").toString("base64url") === part;
  if (parts.length !== 3 || !parts.every(isEncoded)) {
    return undefined;
  }
  try {
    const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
    const [header, claims] = parts.slice(0, 2).map((part) => parse(utf8.decode(Buffer.from(part, "base64url"))));
    return typeOf(header) === "object" && typeOf(claims) === "object" ? { header, claims } : undefined;
  } catch {
    return undefined;
  }
}

function contains(actual, expected) {
  return Object.keys(expected).every((name) => same(actual[name], expected[name]));
}

module.exports = { matchers };
