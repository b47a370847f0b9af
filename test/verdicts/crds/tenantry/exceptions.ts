import { isMapping } from '@tenantry/kube/mapping';

/** A disagreement that is meant. */
export interface Exception {
  readonly reason: string;
  readonly refusedBy: 'us' | 'server';
  readonly example: { readonly metadata?: object; readonly spec: unknown };
  /** Whether it may be in an object that is generated. */
  within?(object: unknown): boolean;
}

const anywhere =
  (is: (value: unknown) => boolean) =>
  (value: unknown): boolean =>
    is(value) ||
    (typeof value === 'object' && value !== null && Object.values(value).some(anywhere(is)));

/** Manifests that are sound. */
export const manifests = [
  { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' }, data: { a: 'b' } },
  { apiVersion: 'example.com/v1', kind: 'Anything', metadata: { name: 'b' }, spec: [null, 1.5] },
];
const isSound = ({ manifest }: Record<string, unknown>): boolean =>
  manifests.some((one) => JSON.stringify(one) === JSON.stringify(manifest));

const label = (key: string) => ({ name: 'a', labels: { [key]: 'b' } });
const many = Object.fromEntries(Array.from({ length: 65 }, (_, i) => [`key-${i}`, 'a']));

export const exceptions: readonly Exception[] = [
  {
    reason: 'the server leaves out a field that is null; in a declaration it is a mistake',
    refusedBy: 'us',
    example: { spec: { className: null } },
    within: anywhere((value) => isMapping(value) && Object.values(value).includes(null)),
  },
  {
    reason: 'what is inside of a manifest is for constructs/tenant/rules/object-rules.ts to say',
    refusedBy: 'server',
    example: { spec: { resources: [{ manifest: {} }] } },
    within: anywhere((value) => isMapping(value) && 'manifest' in value && !isSound(value)),
  },
  {
    reason:
      'the keys of labels and annotations are for constructs/tenant/rules/namespace.ts to say',
    refusedBy: 'server',
    example: { metadata: label('not a key'), spec: {} },
  },
  {
    reason: 'a declaration has no metadata but the name, labels and annotations',
    refusedBy: 'us',
    example: { metadata: { name: 'a', finalizers: ['example.com/a'] }, spec: {} },
  },
  {
    reason: 'labels of a declaration are as many as those of anything else in it',
    refusedBy: 'us',
    example: { metadata: { name: 'a', labels: many }, spec: {} },
  },
];
