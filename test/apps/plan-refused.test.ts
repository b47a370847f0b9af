import { expect, test } from '@jest/globals';
import { fixedCases } from '../verdicts/fixed-fields.ts';
import { namespace, describeChanges, SHOP } from './planned.ts';

const placed = (object: object) => ({
  ...object,
  metadata: { name: 'one', namespace: 'shop', labels: { 'tenantry.dev/tenant': 'shop' } },
});

const refusals = (before: object, after: object): string[] =>
  describeChanges(
    { [SHOP]: [namespace(), placed(before)] },
    { [SHOP]: [namespace(), placed(after)] },
  ).filter((line) => line.includes(' change-refused '));

for (const { what, before, after, refused } of fixedCases) {
  test(`${what}: ${refused.length > 0 ? 'a plan reports the refusal' : 'the change is accepted'}`, () => {
    const fields = refusals(before, after).map((line) =>
      /^high change-refused (\w+) one changes at (.*), which the API server refuses of one that is there: /.exec(
        line,
      ),
    );
    expect(fields.map((found) => found?.slice(1))).toEqual(
      refused.length > 0 ? [[before.kind, refused.join(', ')]] : [],
    );
  });
}

test('a refused change is reported once, together with other changes', () => {
  const [binding] = fixedCases;
  const deployment = fixedCases.find(({ what }) => what === 'the selector of a Deployment')!;
  const changed = describeChanges(
    { [SHOP]: [namespace(), placed(deployment.before)] },
    { [SHOP]: [namespace(), placed(deployment.after)] },
  );
  expect(changed).toEqual([
    expect.stringMatching(/^high change-refused Deployment one changes at spec\.selector, /),
    'low object-changed Deployment one changes at spec.template.metadata.labels.tier',
  ]);
  // A new or removed object has no changed fields.
  expect(refusals({ kind: 'none' }, binding!.after)).toEqual([]);
  expect(
    describeChanges(
      { [SHOP]: [namespace(), placed(binding!.before)] },
      { [SHOP]: [namespace()] },
    ).filter((line) => line.includes('change-refused')),
  ).toEqual([]);
});
