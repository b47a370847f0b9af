import { expect } from '@jest/globals';
import { valueAt } from '@tenantry/kube/mapping';
import { newNamespace, sharedCluster } from '@tenantry/testing/test/controlplane/shared';
import { fixedCases, type FixedObject } from '../verdicts/fixed-fields.ts';

const given = await sharedCluster();

given.test(
  'the API server refuses the field changes that a plan reports as refused, and accepts the rest',
  async () => {
    const namespace = await newNamespace(given.cluster, 'fixed');
    const { admin } = given.cluster;
    const options = { fieldManager: 'argocd-controller', force: true } as const;
    let count = 0;
    for (const { what, before, after, refused } of fixedCases) {
      // With several refused fields, each change is tried alone.
      const alone =
        refused.length > 1 ? refused.map((field) => withField(before, after, field)) : [];
      for (const changed of alone.length > 0 ? alone : [after as FixedObject]) {
        const metadata = { namespace, name: `one-${(count += 1)}` };
        const made = await admin.apply({ ...before, metadata }, options);
        expect([what, made.status]).toEqual([what, 201]);
        const { status } = await admin.apply({ ...changed, metadata }, options);
        expect([what, status]).toEqual([what, refused.length > 0 ? 422 : 200]);
      }
    }
  },
);

/** Returns the object with one field changed to its new value. */
function withField(before: FixedObject, after: object, field: string): FixedObject {
  const changed = structuredClone(before) as Record<string, unknown>;
  const path = field.split('.');
  const holder = (valueAt(changed, path.slice(0, -1)) ?? changed) as Record<string, unknown>;
  const value = valueAt(after, path);
  if (value === undefined) delete holder[path.at(-1)!];
  else holder[path.at(-1)!] = value;
  return changed as FixedObject;
}
