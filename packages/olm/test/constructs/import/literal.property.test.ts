import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { format, resolveConfig } from 'prettier';
import { renderLiteral } from '../../../constructs/import/modules.ts';
import { runs } from '@tenantry/kube/test/yaml/runs';
import { anyCodePoint } from '@tenantry/kube/test/code-points';

const text = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 60 }),
  fc.string({ unit: anyCodePoint, maxLength: 20 }),
  fc
    .array(
      fc.constantFrom('a', "'", '"', '\n', '\r', '\\', '`', '$', '{', '\t', ' ', '\u2028', '\0'),
    )
    .map((parts) => parts.join('')),
  fc.string({ minLength: 80, maxLength: 130 }),
);
const key = fc.oneof(
  fc.string({ maxLength: 20 }),
  fc.constantFrom('a', 'name', '__proto__', 'x-y', '1', 'constructor', 'matchLabels'),
);

const { value } = fc.letrec<{ readonly value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'medium' },
    text,
    fc.integer(),
    fc.double({ noNaN: true, noDefaultInfinity: true }).filter((one) => !Object.is(one, -0)),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie('value'), { maxLength: 5 }),
    fc.dictionary(key, tie('value'), { maxKeys: 5 }),
    fc.array(fc.integer(), { minLength: 30, maxLength: 50 }),
  ),
}));

/**
 * Top-level texts are left out, as no program has them; characters beyond 16 bits too, as prettier
 * counts their columns differently.
 */
const whole = value.filter(
  (one) => typeof one !== 'string' && !/[^\0-\uFFFF]/u.test(JSON.stringify(one)),
);

/** Evaluates code in this realm, so that values can be compared. */
const evaluated = (code: string): unknown =>
  JSON.parse(runInNewContext(`JSON.stringify(${code})`) as string);

test('the expression of a value evaluates to the value', () => {
  fc.assert(
    fc.property(value, (one) => {
      expect(evaluated(renderLiteral(one, 0, ''))).toEqual(JSON.parse(JSON.stringify(one)));
    }),
    runs(500),
  );
});

test('it is formatted as prettier does', async () => {
  const config = await resolveConfig(join(import.meta.dirname, 'x.ts'));
  await fc.assert(
    fc.asyncProperty(whole, async (one) => {
      const head = 'export const value: unknown = ';
      const code = `${head}${renderLiteral(one, head.length, '')};\n`;
      expect(await format(code, { ...config, parser: 'typescript' })).toBe(code);
    }),
    runs(100),
  );
});
