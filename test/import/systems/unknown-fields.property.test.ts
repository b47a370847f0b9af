import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { groupOf, type KubeObject } from '@tenantry/kube/object';
import type { Path } from '@tenantry/kube/problem';
import { runs } from '@tenantry/kube/test/yaml/runs';
import { importManifests, type ImportResult } from '../../../import/import-manifests.ts';
import { UNKNOWN_FIELD } from '../../../import/systems/system-object.ts';
import { applySettings } from '../../../import/tenant-settings.ts';
import { Fleet } from '../../../model/fleet.ts';
import { resolvePlatform } from '../../../model/platform.ts';
import {
  addKey,
  arbitraryObject,
  isOfSystem,
  listClosedMappings,
  listLeaves,
  listTexts,
  namespaceNames,
  systemKinds,
} from './arbitrary-objects.ts';

const namespaces: readonly KubeObject[] = namespaceNames.map((name) => ({
  apiVersion: 'v1',
  kind: 'Namespace',
  metadata: { name, labels: { 'label-of-somebody': 'label-of-somebody' } },
}));

/** Imports objects; errors of the source are part of the result. */
function importObjects(objects: readonly KubeObject[]): ImportResult {
  const text = objects.map((object) => JSON.stringify(object)).join('\n---\n');
  const choices = {
    className: 'imported',
    cluster: 'in-cluster',
    pinned: new Map<string, string>(),
    platform: {
      clusters: [{ name: 'in-cluster' }],
      argocd: { impersonation: 'Disabled' },
    },
    keepGoing: true,
  } as const;
  const result = importManifests([{ file: 'all.yaml', text }], choices);
  if (!('proof' in result)) throw new Error('an import that keeps going has a result');
  return result;
}

const isPrefix = (prefix: Path, path: Path): boolean => prefix.every((part, i) => path[i] === part);

const UNKNOWN = 'keyThatNobodyKnows';

test.each(systemKinds)('$system: an unknown key anywhere in $kind is named', (kind) => {
  const cases = arbitraryObject(kind).chain((object) => {
    const places = listClosedMappings(kind.schema, object).filter(
      ([first]) => first !== 'metadata' && first !== 'status',
    );
    // A kind of which no field is read has only the object itself.
    return fc.tuple(fc.constant(object), fc.constantFrom(...(places.length > 0 ? places : [[]])));
  });
  let judged = 0;
  fc.assert(
    fc.property(cases, ([object, place]) => {
      const odd = addKey(object, place, UNKNOWN) as KubeObject;
      const { translated, problems } = importObjects([...namespaces, odd]);
      // An object that is left out as a whole is named with all its fields.
      if (translated.made.some(({ found }) => isOfSystem(found.object))) return void (judged += 1);
      const listed = translated.listTranslated();
      // A reader refuses the whole document, such as one with a number that JSON cannot keep.
      if (listed.length === 0 && problems.length > 0) return;
      judged += 1;
      const fields = listed.flatMap((one) => one.fields);
      const isNamed =
        fields.some(
          // A mapping with no other key is named itself.
          (one) =>
            one.outcome === 'left' &&
            one.reason === UNKNOWN_FIELD &&
            isPrefix(one.path, [...place, UNKNOWN]),
        ) || problems.some(({ message }) => message.includes(UNKNOWN));
      expect(isNamed).toBe(true);
    }),
    runs(60),
  );
  expect(judged).toBeGreaterThan(20);
});

const object = fc.oneof(...systemKinds.map(arbitraryObject));

test('every object of a system is listed once, and each of its fields has an outcome', () => {
  fc.assert(
    fc.property(fc.array(object, { minLength: 1, maxLength: 4 }), (objects) => {
      const result = importObjects([...namespaces, ...objects]);
      const listed = result.translated.listTranslated();
      const whole = result.translated.made.filter(({ found }) => isOfSystem(found.object));
      if (result.problems.length === 0) {
        expect(listed.length + whole.length).toBe(objects.length);
      }
      expect(new Set(listed.map(({ found }) => found)).size).toBe(listed.length);
      expect(result.proof.problems).toEqual([]);
      for (const { found, fields } of listed) {
        const {
          apiVersion: _version,
          kind: _kind,
          metadata: _metadata,
          status: _status,
          ...content
        } = found.object as KubeObject & { readonly status?: unknown };
        const leaves = listLeaves(content);
        const uncovered = leaves.filter((leaf) => !fields.some(({ path }) => isPrefix(path, leaf)));
        expect(uncovered).toEqual([]);
      }
    }),
    runs(100),
  );
});

/** Definitions that grant something more often than arbitrary ones do. */
const definition = fc
  .record({
    name: fc.constantFrom('one', 'two'),
    parts: fc.array(
      fc.record({
        name: fc.constantFrom('a', 'b'),
        subjects: fc.array(
          fc.record({
            kind: fc.constantFrom('User', 'Group', 'ServiceAccount'),
            name: fc.constantFrom('jane-of-somebody', 'joe-of-somebody'),
            namespace: fc.constantFrom(...namespaceNames),
          }),
          { minLength: 1, maxLength: 3 },
        ),
        roleBindings: fc.array(
          fc.record(
            {
              clusterRole: fc.constantFrom('admin', 'view', 'role-of-somebody', 'cluster-admin'),
              namespace: fc.constantFrom(...namespaceNames),
              namespaceSelector: fc.constantFrom(
                { matchLabels: {} },
                { matchLabels: { 'label-of-somebody': 'label-of-somebody' } },
                { matchExpressions: [{ key: 'other', operator: 'DoesNotExist' }] },
              ),
            },
            { requiredKeys: ['clusterRole', 'namespace'] },
          ),
          { maxLength: 3 },
        ),
      }),
      { maxLength: 3 },
    ),
  })
  .map(({ name, parts }): KubeObject & { rbacBindings: unknown } => ({
    apiVersion: 'rbacmanager.reactiveops.io/v1beta1',
    kind: 'RBACDefinition',
    metadata: { name },
    rbacBindings: parts,
  }));

const granting = fc.oneof(object, definition);

interface Right {
  readonly role: string;
  readonly subject: string;
}

/** Lists what rendered RoleBindings grant. */
function listRights({ fleet, settings }: ImportResult): Right[] {
  const rendering = new Fleet(resolvePlatform(fleet.platform));
  for (const klass of fleet.classes) rendering.classes.add(klass);
  return fleet.tenants.flatMap(({ name, spec }) => {
    const own = applySettings(spec, settings.placed.get(name));
    const objects = rendering
      .desired({ name, spec: own })
      .namespaces.flatMap((one) => one.objects as readonly KubeObject[]);
    return objects.flatMap((one) => {
      if (one.kind !== 'RoleBinding') return [];
      const { roleRef, subjects = [] } = one as KubeObject & {
        readonly roleRef: { readonly name: string };
        readonly subjects?: readonly { readonly name: string }[];
      };
      return subjects.map((subject) => ({ role: roleRef.name, subject: subject.name }));
    });
  });
}

/** Lists what may grant something, as all of its texts: a binding of rbac-manager, or all objects of another group. */
function listStatements(objects: readonly KubeObject[]): readonly (readonly string[])[] {
  const isDefinition = ({ kind }: KubeObject): boolean => kind === 'RBACDefinition';
  const others = objects.filter((one) => !isDefinition(one));
  const definitions = objects.filter(isDefinition) as { rbacBindings?: readonly unknown[] }[];
  return [
    ...definitions.flatMap(({ rbacBindings = [] }) => rbacBindings.map((one) => listTexts(one))),
    ...Map.groupBy(others, (one) => groupOf(one.apiVersion))
      .values()
      .map((own) => listTexts(own)),
  ];
}

test('no right is rendered whose role and subject no binding states together', () => {
  let rights = 0;
  fc.assert(
    fc.property(fc.array(granting, { minLength: 1, maxLength: 4 }), (objects) => {
      const stated = listStatements(objects);
      for (const { role, subject } of listRights(importObjects([...namespaces, ...objects]))) {
        rights += 1;
        const isStated = stated.some(
          (own) =>
            own.some((text) => text.includes(role)) && own.some((text) => text.includes(subject)),
        );
        expect({ role, subject, isStated }).toEqual({ role, subject, isStated: true });
      }
    }),
    runs(150),
  );
  expect(rights).toBeGreaterThan(0);
});
