import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { checkCondition } from '../../rules/dependencies.ts';
import { olmConditions } from '@tenantry/test-tools/go/constraints';
import { runs } from '@tenantry/kube/test/yaml/runs';

const ask = await olmConditions();
const judged = ask ? test : test.skip;

/** Conditions with the functions of CEL itself and those that OLM adds. */
const sound = [
  'properties.exists(p, p.type == "certified" && p.value == true)',
  'properties.exists(p, p.type == "olm.package" && semver_compare(p.value.version, "1.0.0") >= 0)',
  'properties.all(p, p.type.startsWith("olm.") || has(p.value))',
  'properties.filter(p, p.value in ["a", 1]).size() > 0',
  'properties.exists_one(p, p.value)',
  'properties.map(p, p.type != "x", p.type) == ["a"]',
  'properties.exists(p, p.`a-b/c.d` == 1)',
  'properties[0].value == null',
  'type(properties[0].value) == google.protobuf.Duration',
  'dyn(1) < 1.0',
  // Within a macro, cel-go does not check that it compares numbers of one type.
  'properties.exists(p, 1 < 1u)',
  '[1, "a"].size() == 2',
  '"a".matches("(")',
  'timestamp("x") == timestamp("y") || duration("x") < duration("1s")',
  'semver_compare(1, properties) == 0',
];

/** Conditions with functions that Kubernetes adds, and conditions with wrong types. */
const broken = [
  'properties',
  'properties[0].value',
  'semver_compare("1", "2")',
  'semver_compare("1") == 0',
  '"1".semver_compare("2") == 0',
  'self == 1',
  '1 < 1.0',
  'duration(5) == duration("5s")',
  'properties.type == "a"',
  'properties.existsOne(p, true)',
  'properties.all(i, p, true)',
  'properties.transformList(i, p, p) == []',
  'properties[?0].hasValue()',
  'properties.?type.hasValue()',
  '[?optional.of(1)] == [1]',
  '{?"a": optional.of(1)} == {}',
  '"a".lowerAscii() == "a"',
  'semver("1.0.0").major() == 1',
  'quantity("1") == quantity("1")',
  'isURL("a")',
  'type(1) == net.IP',
  'properties.exists(p p)',
  'properties.exists(p, p.type = "a")',
];

test.each(sound)('OLM accepts %s', (condition) => {
  expect(checkCondition(condition)).toBeUndefined();
});

test.each(broken)('OLM refuses %s', (condition) => {
  expect(checkCondition(condition)).toMatch(/^must be (valid )?CEL/);
});

test('the error about a macro that Kubernetes adds names the macro', () => {
  expect(checkCondition('properties.existsOne(p, p.type == "a")')).toBe(
    "must be valid CEL, got a mistake at 1:11: it must be a function, got 'existsOne'",
  );
  expect(checkCondition('cel.bind(x, 1, x == 1)')).toMatch("must be a function, got 'cel.bind'");
});

/** Operands that combine in many ways, most of them invalid. */
const values = [
  ['1', '1u', '1.5', '"a"', 'b"a"', 'true', 'null', '[]', '[1, "a"]', '{"a": 1}', '{}', 'p'],
  ['p.type', 'p.value', 'p.value.a[0]', 'properties', 'properties[0]', 'type(p)', 'int', 'q'],
  ['dyn(1)', 'size(p)', 'semver_compare(p, "1.0.0")', 'p.type.size()', 'p["type"]', 'p.`a-b`'],
  ['p.type.trim()', 'p.?type', 'timestamp(p.value)', 'string(1)', 'uint(p)', 'has(p.type)'],
].flat();
const value = fc.constantFrom(...values);
const sign = fc.constantFrom(...'== != < <= > >= && || + - * / % in ?'.split(' '));
const pair = fc
  .tuple(value, sign, value)
  .map(([left, sign, right]) =>
    sign === '?' ? `${left} ? ${right} : 1` : `${left} ${sign} ${right}`,
  );
const expression = fc.oneof(
  value,
  pair,
  fc.tuple(pair, sign, pair).map(([a, s, b]) => `(${a}) ${s === '?' ? '==' : s} (${b})`),
);
const macro = fc.constantFrom(
  'exists',
  'all',
  'exists_one',
  'filter',
  'map',
  'existsOne',
  'sortBy',
);
const condition = fc.tuple(macro, expression).map(([name, body]) => {
  const ends: Readonly<Record<string, string>> = { filter: ' == []', map: '.size() > 0' };
  return `properties.${name}(p, ${body})${ends[name] ?? ''}`;
});

judged('a condition is refused exactly where OLM refuses it', () => {
  const seen = { sound: 0, refused: 0 };
  const agrees = (conditions: readonly string[]): void => {
    const verdicts = ask!(conditions);
    for (const [i, text] of conditions.entries()) {
      const [ours, theirs] = [checkCondition(text), verdicts[i]];
      expect({ text, ours, theirs }).toEqual({
        text,
        ours: theirs === '' ? undefined : expect.any(String),
        theirs,
      });
      seen[theirs === '' ? 'sound' : 'refused'] += 1;
    }
  };
  agrees([...sound, ...broken]);
  fc.assert(fc.property(fc.array(condition, { minLength: 100, maxLength: 100 }), agrees), runs(20));
  expect(seen.sound).toBeGreaterThan(100);
  expect(seen.refused).toBeGreaterThan(200);
});
