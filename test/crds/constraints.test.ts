import { expect, test } from '@jest/globals';
import type { DeclaredKind } from '../../crds/declared-kind.ts';
import { tenant } from '../../crds/tenant.ts';
import { tenantClass } from '../../crds/tenant-class.ts';
import { validate } from '@tenantry/crd/schema/validate';
import { headsOf, trialsOf, type Fields } from './constraints.ts';

const mistakes = (kind: DeclaredKind, object: Fields): number => validate(kind.file, object).length;

// test/cluster/schema-rules.test.ts checks the same against the API server.
for (const kind of [tenant, tenantClass] as const) {
  const { valid, breaches, count } = trialsOf(kind);

  test(`every constraint of a ${kind.kind} is broken alone, and then the object is refused`, () => {
    expect(valid.filter((object) => mistakes(kind, object) > 0)).toEqual([]);
    expect(breaches.filter(({ object }) => mistakes(kind, object) !== 1)).toEqual([]);
    expect(breaches).toHaveLength(count);
  });

  test(`a ${kind.kind} needs its head, and a name that is a DNS label`, () => {
    const { good, bad } = headsOf(kind);
    expect(good.filter((object) => mistakes(kind, object) > 0)).toEqual([]);
    expect(bad.filter((object) => mistakes(kind, object) === 0)).toEqual([]);
  });
}
