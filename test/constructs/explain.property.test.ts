import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { isMapping, valueAt } from '@tenantry/kube/mapping';
import type { Path } from '@tenantry/kube/problem';
import { runs } from '@tenantry/kube/test/yaml/runs';
import type { TenantClassSpec } from '../../crds/tenant-class.ts';
import type { TenantSpec } from '../../crds/tenant.ts';
import { extendClass } from '../../model/classes/extend.ts';
import type { TenantClassDeclaration, TenantDeclaration } from '../../model/declaration.ts';
import { desired } from '../../model/desired.ts';
import type { ExplainedValue } from '../../model/explain/explained-value.ts';
import { listLeaves } from '../../model/explain/explained-value.ts';
import { explainObjects } from '../../model/explain/explain-objects.ts';
import { explainTenant, type ExplainedTenant } from '../../model/explain/explain-tenant.ts';
import { resolveTenant } from '../../model/layers/resolve.ts';
import { resolvePlatform } from '../../model/platform.ts';
import { anyClass, anyTenant } from './declared.ts';

/** A tenant, its class, and the parent of the class, as they are declared. */
interface Documents {
  readonly tenant: TenantDeclaration;
  readonly klass: TenantClassDeclaration;
  readonly parent: TenantClassDeclaration;
}

const amount = fc.integer({ min: 1, max: 99 });
const hard = fc.dictionary(
  fc.constantFrom('pods', 'services', 'requests.cpu', 'limits.memory'),
  fc.oneof(amount, fc.constant('unlimited')),
  { maxKeys: 3 },
);
const presetName = fc.constantFrom('small', 'large', 'none');
const bounds = fc.record(
  {
    quota: fc.record(
      {
        name: fc.constantFrom('quota-a', '{namespace}-quota'),
        preset: presetName,
        hard,
        scoped: fc.constantFrom(
          [{ name: 'best', hard: { pods: 3 }, scopes: ['BestEffort'] }],
          [{ name: 'best', hard: { pods: 4 } }],
        ),
      },
      { requiredKeys: [] },
    ),
    limits: fc.record(
      {
        preset: presetName,
        items: fc.constantFrom(
          [{ type: 'Container', default: { cpu: '100m', memory: 'unlimited' } }],
          [{ type: 'Pod', max: { cpu: '4' } }],
        ),
      },
      { requiredKeys: [] },
    ),
    network: fc.record(
      {
        preset: presetName,
        isolation: fc.constantFrom('SameTenant', 'Closed', 'Open'),
        egress: fc.constantFrom('Open', 'SameTenant'),
        policyNames: fc.constantFrom({ isolation: 'walls' }, { egress: '{tenant}-out' }),
      },
      { requiredKeys: [] },
    ),
    podSecurity: fc.record(
      {
        enforce: fc.constantFrom('baseline', 'restricted'),
        warn: fc.constantFrom('restricted', 'none'),
      },
      { requiredKeys: [] },
    ),
    protection: fc.record({ deletion: fc.constantFrom('Confirm', 'None') }),
    annotations: fc.dictionary(fc.constantFrom('x', 'y'), fc.constantFrom('1', '{namespace}')),
  },
  { requiredKeys: [] },
);

const presets = fc.record(
  {
    quotas: fc.constantFrom(
      [{ name: 'small', hard: { pods: 5 } }],
      [
        { name: 'large', hard: { pods: 500, services: 9 } },
        { name: 'small', hard: { services: 1 } },
      ],
    ),
    limits: fc.constantFrom([
      { name: 'small', items: [{ type: 'Container', max: { cpu: '1' } }] },
      { name: 'large', items: [] },
    ]),
    networks: fc.constantFrom(
      [{ name: 'small', isolation: 'Closed' }],
      [{ name: 'large', egress: 'SameTenant' }],
    ),
  },
  { requiredKeys: [] },
);

const ceilings = fc.record(
  {
    namespaces: fc.integer({ min: 5, max: 9 }),
    quota: fc.dictionary(fc.constantFrom('pods', 'services'), fc.nat(900)),
    network: fc.record(
      { ingressFrom: fc.record({ cidrs: fc.constant(['10.0.0.0/8']) }) },
      { requiredKeys: [] },
    ),
  },
  { requiredKeys: [] },
);
const allow = fc.record(
  {
    labels: fc.constantFrom([], [{ key: 'team' }]),
    clusterRoles: fc.constantFrom([], ['x'], ['y', 'z']),
  },
  { requiredKeys: [] },
);
const exceptions = fc
  .array(
    fc.record(
      {
        tenants: fc.constant(['acme']),
        reason: fc.constant('because'),
        namespaces: fc.constant(['ns-a']),
        ceilings,
        allow,
      },
      { requiredKeys: ['tenants', 'reason'] },
    ),
    { maxLength: 3 },
  )
  .map((list) => list as NonNullable<TenantClassSpec['exceptions']>);

const anyBoundedClass = fc
  .tuple(anyClass, bounds, bounds, presets, ceilings, allow, exceptions, hard)
  .map(([base, own, prod, offered, most, allowed, granted, total]) => ({
    presets: offered,
    ceilings: most,
    allow: allowed,
    exceptions: granted,
    defaults: {
      ...base.defaults,
      ...own,
      quota: { ...own.quota, total: withoutUnlimited(total) },
    },
    environments: [{ name: 'prod', ...prod }],
  })) as fc.Arbitrary<TenantClassSpec>;

function withoutUnlimited(amounts: Readonly<Record<string, unknown>>): object {
  return Object.fromEntries(Object.entries(amounts).filter(([, one]) => one !== 'unlimited'));
}

const anyBoundedTenant = fc
  .tuple(anyTenant, bounds, fc.array(bounds, { minLength: 4, maxLength: 4 }), fc.boolean())
  .map(([tenant, own, each, isProd]) => ({
    ...tenant,
    ...own,
    className: 'standard',
    ...(isProd && { environment: 'prod' }),
    namespaces: tenant.namespaces!.map((entry, i) => ({
      ...each[i],
      ...entry,
      quota: { ...each[i]!.quota, ...entry.quota },
      ...(i === 1 && { environment: 'prod' }),
    })),
  })) as fc.Arbitrary<TenantSpec>;

const anyDocuments = fc
  .tuple(anyBoundedTenant, anyBoundedClass, anyBoundedClass, fc.boolean())
  .map(([tenant, child, parent, isExtended]): Documents => ({
    tenant: { name: 'acme', spec: tenant },
    klass: { name: 'standard', spec: { ...child, ...(isExtended && { extends: 'base' }) } },
    // Files share no objects.
    parent: { name: 'base', spec: structuredClone(parent) },
  }));

const platform = resolvePlatform();

/** Merges the class with its parent, without the rules: a change may break one and still be merged. */
const resolveClass = ({ klass, parent }: Documents): TenantClassDeclaration =>
  klass.spec.extends === undefined ? klass : extendClass(klass, parent);

const explain = (documents: Documents): ExplainedTenant =>
  explainTenant(documents.tenant, resolveClass(documents), platform, documents.klass);

const allValues = ({ values, namespaces }: ExplainedTenant): [string, ExplainedValue][] =>
  [{ name: '', cluster: '', values }, ...namespaces].flatMap((one) =>
    one.values.map((value): [string, ExplainedValue] => [
      [one.cluster, one.name, ...value.path].join('/'),
      value,
    ]),
  );

const documentOf = { class: 'klass', base: 'parent', spec: 'tenant', metadata: 'tenant' } as const;

/** Returns the document of an origin and the path in it; nothing for what is built in. */
function locate([first, ...rest]: Path): { document: keyof Documents; path: Path } | undefined {
  if (first === 'class' || first === 'base') return { document: documentOf[first], path: rest };
  if (first === 'spec') return { document: 'tenant', path: ['spec', ...rest] };
  if (first === 'metadata') return { document: 'tenant', path: rest };
  return undefined;
}

function replaceAt(value: unknown, [key, ...rest]: Path, wanted: unknown): unknown {
  if (key === undefined) return wanted;
  if (Array.isArray(value)) {
    return value.map((one: unknown, i) => (i === key ? replaceAt(one, rest, wanted) : one));
  }
  if (!isMapping(value)) throw new Error(`no value at ${String(key)}`);
  return { ...value, [key]: replaceAt(value[key], rest, wanted) };
}

/** Returns another value of the same shape. */
function vary(value: unknown): unknown {
  const others: Readonly<Record<string, string>> = {
    SameTenant: 'SameNamespace',
    Active: 'Suspended',
    Suspended: 'Retired',
    Retired: 'Active',
    Confirm: 'None',
    None: 'Confirm',
    baseline: 'restricted',
    restricted: 'privileged',
  };
  // Enough that every namespace gets more of a total.
  if (typeof value === 'number') return value + 1000;
  if (typeof value === 'boolean') return !value;
  if (Array.isArray(value)) return value.map(vary);
  if (isMapping(value)) return { ...value, name: 'another' };
  return others[String(value)] ?? (/^\d/.test(String(value)) ? `${String(value)}0` : 'zz');
}

test('the explained values are those that rendering uses', () => {
  fc.assert(
    fc.property(anyDocuments, (documents) => {
      const klass = resolveClass(documents);
      const explained = explain(documents);
      const { namespaces } = resolveTenant(documents.tenant, klass, platform);
      expect(namespaces).toHaveLength(explained.namespaces.length);
      for (const [i, { settings, klass: bounded }] of namespaces.entries()) {
        const {
          grants: _grants,
          roles: _roles,
          resources,
          syncWindows: _windows,
          ...plain
        } = settings;
        const { deletion, clusters: _clusters, imagePullSecrets, ...merged } = plain;
        const {
          total: _total,
          weight: _weight,
          unlimited: _keys,
          ...quota
        } = {
          total: undefined,
          weight: undefined,
          ...merged.quota,
        };
        const bySlot = new Map(
          explained.namespaces[i]!.values.flatMap(({ slot, value }) =>
            slot ? [[slot.slice(2).join('/'), value] as const] : [],
          ),
        );
        const expectValue = (slot: Path, value: unknown): void => {
          expect([slot, bySlot.get(slot.join('/'))]).toEqual([slot, value]);
        };
        for (const { slot, value } of listLeaves({ ...merged, quota })) {
          expectValue(['settings', ...slot], value);
        }
        for (const [n, secret] of imagePullSecrets.entries()) {
          expectValue(['settings', 'imagePullSecrets', n], secret);
        }
        for (const [n, { manifest }] of resources.entries()) {
          for (const { slot, value } of listLeaves(manifest, { splitsLists: true })) {
            expectValue(['settings', 'resources', n, 'manifest', ...slot], value);
          }
        }
        expectValue(['settings', 'deletion'], deletion);
        const { ceilings: most = {}, allow: allowed = {} } = bounded.spec;
        for (const { slot, value } of listLeaves(
          { ceilings: most, allow: allowed },
          { splitsLists: true },
        )) {
          expectValue(['klass', 'spec', ...slot], value);
        }
      }
    }),
    runs(100),
  );
});

test('tracing does not change what is rendered', () => {
  fc.assert(
    fc.property(anyDocuments, (documents) => {
      const klass = resolveClass(documents);
      const plain = resolveTenant(documents.tenant, klass, platform).namespaces;
      const traced = explain(documents).resolved.namespaces;
      const withoutPlaces = (value: unknown): string =>
        JSON.stringify(value, (key, one: unknown) =>
          key === 'path' || key === 'origins' ? undefined : one,
        );
      expect(withoutPlaces(traced)).toBe(withoutPlaces(plain));
    }),
    runs(60),
  );
});

test('every value is the declared one at its place, unless a total or a placeholder is filled in', () => {
  fc.assert(
    fc.property(anyDocuments, (documents) => {
      for (const [key, { value, origin, path }] of allValues(explain(documents))) {
        const place = locate(origin);
        if (!place || origin.includes('total')) continue;
        const declared = valueAt(documents[place.document], place.path);
        if (typeof declared === 'string' && declared.includes('{')) continue;
        expect([key, path, declared]).toEqual([key, path, value]);
      }
    }),
    runs(100),
  );
});

/** Whether a value is the key by which items of a list merge. */
const isKey = (path: readonly string[], value: unknown): boolean =>
  ['name', 'type'].includes(path.at(-1)!) && path.at(-2) === value;

test('changing the place of a value changes this value', () => {
  fc.assert(
    fc.property(anyDocuments, fc.nat(), (documents, seed) => {
      const values = allValues(explain(documents)).filter(
        ([, { origin, path, value }]) =>
          locate(origin) !== undefined &&
          path[0] !== 'className' &&
          // Another layer can declare an item of the same name.
          !isKey(path, value) &&
          // A namespace without weight gets nothing of a total.
          !(origin.includes('total') && value === '0'),
      );
      if (values.length === 0) return;
      const [key, { value, origin }] = values[seed % values.length]!;
      const { document, path } = locate(origin)!;
      const declared = valueAt(documents[document], path);
      const changed: Documents = {
        ...documents,
        [document]: replaceAt(documents[document], path, vary(declared)),
      };
      const after = new Map(allValues(explain(changed))).get(key)?.value;
      expect([key, origin, after]).not.toEqual([key, origin, value]);
    }),
    runs(400),
  );
});

test('changing the place of a cause changes the rendered field', () => {
  const quotas = (documents: Documents) =>
    explainObjects(explain(documents), ({ kind }) => kind === 'ResourceQuota').flatMap(
      ({ object, fields }) =>
        fields.map((field) => ({
          key: [object.metadata.namespace, object.metadata.name, ...field.path].join('/'),
          ...field,
        })),
    );
  fc.assert(
    fc.property(anyDocuments, (documents) => {
      const active: Documents = {
        ...documents,
        tenant: { ...documents.tenant, spec: { ...documents.tenant.spec, lifecycle: 'Active' } },
      };
      const bounds = quotas(active).filter(({ path }) => path[1] === 'hard');
      expect(bounds.length).toBeGreaterThan(0);
      const found = bounds.flatMap((field) => {
        const cause = field.causes.find(
          ({ value, path, origin }) =>
            String(value) === field.value &&
            path.at(-1) === field.path.at(-1) &&
            locate(origin) !== undefined &&
            !origin.includes('total'),
        );
        return cause ? [{ bound: field, cause }] : [];
      });
      if (found.length === 0) return;
      const { bound, cause } = found[0]!;
      const { document, path } = locate(cause.origin)!;
      const wanted = vary(valueAt(active[document], path));
      const changed = { ...active, [document]: replaceAt(active[document], path, wanted) };
      const after = quotas(changed as Documents).find(({ key }) => key === bound.key);
      expect([bound.key, cause.origin, after?.value]).not.toEqual([
        bound.key,
        cause.origin,
        bound.value,
      ]);
    }),
    runs(8),
  );
});

test('the objects of an explained tenant are those of desired()', () => {
  const tenant = { name: 'acme', spec: { quota: { hard: { pods: 3 } } } };
  const klass = { name: 'standard', spec: {} };
  const { namespaces, findings } = desired(tenant, klass, platform);
  expect(findings).toEqual([]);
  const { values } = explainTenant(tenant, klass, platform).namespaces[0]!;
  const pods = values.find(({ path }) => path.join('.') === 'quota.hard.pods');
  expect(pods).toMatchObject({ value: 3, origin: ['spec', 'quota', 'hard', 'pods'] });
  const quota = namespaces[0]!.objects.find(({ kind }) => kind === 'ResourceQuota');
  expect(quota).toHaveProperty(['spec', 'hard', 'pods'], String(pods!.value));
});
