import fc from 'fast-check';
import type { Json } from '@tenantry/kube/object';
import type { JSONSchemaProps } from '../json-schema.ts';
import { inJavaScript } from '../sample/pattern.ts';
import { textsFor } from '../sample/values.ts';

const INT32 = 2 ** 31;
const SAFE = Number.MAX_SAFE_INTEGER;
/** The maximum length of generated strings. */
const LONG = 1024;
const SHORT = 20;

/** Generates numbers within the bounds of a schema, often at them; mostly multiples of `multipleOf`. */
export function numbers(schema: JSONSchemaProps): fc.Arbitrary<number> {
  const { multipleOf, format, exclusiveMinimum = false, exclusiveMaximum = false } = schema;
  const whole = schema.type !== 'number';
  const widest = format === 'int32' ? INT32 - 1 : SAFE;
  let min = Math.max(schema.minimum ?? -widest, format === 'int32' ? -INT32 : -SAFE);
  let max = Math.min(schema.maximum ?? widest, widest);
  if (whole) {
    min = exclusiveMinimum && Number.isInteger(min) ? min + 1 : Math.ceil(min);
    max = exclusiveMaximum && Number.isInteger(max) ? max - 1 : Math.floor(max);
  }
  if (min > max) return fc.constant(min);
  const edges = [min, min + 1, max, max - 1, 0, 1, -1, INT32 - 1, INT32, -INT32, -INT32 - 1];
  const within = edges.filter((edge) => edge >= min && edge <= max);
  const any = whole ? fc.integer({ min, max }) : fc.double({ min, max, noNaN: true });
  const found = fc.oneof(
    { weight: 1, arbitrary: fc.constantFrom(...within) },
    { weight: 2, arbitrary: any },
  );
  const fitting = multipleOf ? found.map((value) => nearest(value, multipleOf, min, max)) : found;
  // JSON has no negative zero.
  return fitting.map((value) => value + 0 || 0);
}

function nearest(value: number, step: number, min: number, max: number): number {
  const near = Math.round(value / step) * step;
  if (near < min) return near + step;
  return near > max ? near - step : near;
}

const formats: Readonly<Record<string, () => fc.Arbitrary<string>>> = {
  byte: () => fc.base64String({ maxLength: SHORT }),
  date: () => dates().map((text) => text.slice(0, 10)),
  datetime: () => dates(),
  duration: () =>
    fc
      .tuple(fc.nat({ max: 10_000 }), fc.constantFrom('ns', 'us', 'ms', 's', 'm', 'h'))
      .map(([amount, unit]) => `${amount}${unit}`),
  email: () => fc.emailAddress(),
  hostname: () => fc.domain(),
  ipv4: () => fc.ipV4(),
  ipv6: () => fc.ipV6(),
  uri: () => fc.webUrl({ withFragments: true, withQueryParameters: true }),
  uuid: () => fc.uuid(),
};

function dates(): fc.Arbitrary<string> {
  const [min, max] = [new Date('1970-01-01T00:00:00Z'), new Date('9999-12-31T23:59:59Z')];
  return fc.date({ min, max, noInvalidDate: true }).map((date) => date.toISOString());
}

/** Any character; fast-check's own `binary` takes seconds to create. */
const character = fc
  .oneof(
    fc.integer({ min: 0x20, max: 0x7e }),
    fc.integer({ min: 0, max: 0xd7ff }),
    fc.integer({ min: 0xe000, max: 0x10ffff }),
  )
  .map((code) => String.fromCodePoint(code));

/** Generates strings that most likely fit a schema, by its format, its pattern or its lengths. */
export function texts(schema: JSONSchemaProps): fc.Arbitrary<string> {
  const { pattern, minLength = 0, maxLength = Infinity } = schema;
  const format = schema.format?.replaceAll('-', '') ?? '';
  const known = [...new Set(textsFor(schema))].slice(0, SHORT);
  if (Object.hasOwn(formats, format))
    return fc.oneof(formats[format]!(), fc.constantFrom(...known));
  if (pattern !== undefined) {
    const matching = matches(pattern);
    return matching
      ? fc.oneof(
          { weight: 3, arbitrary: matching },
          { weight: 1, arbitrary: fc.constantFrom(...known) },
        )
      : fc.constantFrom(...known);
  }
  const max = Math.min(maxLength, Math.max(SHORT, minLength));
  const lengths = [minLength, maxLength].filter((length) => length <= LONG);
  const edges = lengths.flatMap((length) => ['x'.repeat(length), '😀'.repeat(length)]);
  const some = fc.oneof(
    { weight: 3, arbitrary: fc.string({ minLength, maxLength: max }) },
    {
      weight: 1,
      arbitrary: fc.array(character, { minLength, maxLength: max }).map((all) => all.join('')),
    },
  );
  const all = edges.length === 0 ? [] : [{ weight: 1, arbitrary: fc.constantFrom(...edges) }];
  const named = format === '' ? [] : [{ weight: 2, arbitrary: fc.constantFrom(...known) }];
  return fc.oneof({ weight: 4, arbitrary: some }, ...all, ...named);
}

/** The arbitraries of patterns: creating one is slow, and kinds repeat their patterns in hundreds of fields. */
const matching = new Map<string, fc.Arbitrary<string> | undefined>();

function matches(pattern: string): fc.Arbitrary<string> | undefined {
  if (!matching.has(pattern)) matching.set(pattern, buildPatternArbitrary(pattern));
  return matching.get(pattern);
}

function buildPatternArbitrary(pattern: string): fc.Arbitrary<string> | undefined {
  try {
    return fc.stringMatching(new RegExp(inJavaScript(pattern)));
  } catch {
    // fast-check does not support every pattern of RegExp; known texts are used instead.
    return undefined;
  }
}

/** Generates any JSON value except null, which the API server treats separately. */
export function anything(): fc.Arbitrary<Json> {
  return fc
    .jsonValue({ maxDepth: 2 })
    .map((value) => JSON.parse(JSON.stringify(value)) as Json)
    .filter((value) => value !== null && !JSON.stringify(value).includes('__proto__'));
}
