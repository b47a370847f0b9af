import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { isMapping } from '@tenantry/kube/mapping';
import type { KubeObject } from '@tenantry/kube/object';
import { parseQuantity } from '@tenantry/kube/quantity';
import { runs } from '@tenantry/kube/test/yaml/runs';
import type { TenantClassSpec } from '../../crds/tenant-class.ts';
import type { TenantSpec } from '../../crds/tenant.ts';
import type { DesiredTenant } from '../../model/desired.ts';
import { Fleet } from '../../model/fleet.ts';
import { findPeriod, isInPeriod } from '../../model/end-dates.ts';
import { listClassEndings, listTenantEndings } from '../../model/endings.ts';
import { resolvePlatform } from '../../model/platform.ts';
import { deepFreeze } from './declared.ts';

const dates = ['2026-12-15', '2027-01-01', '2027-01-31', '2027-02-01', '2027-03-15'] as const;
const date = fc.constantFrom(...dates);
const person = fc.constantFrom('ann', 'bob', 'cem', 'dee');
const people = fc.uniqueArray(person, { maxLength: 3 });
const somebody = fc.uniqueArray(person, { minLength: 1, maxLength: 3 });
const ending = { until: date };
const rules = [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }];

const level = fc.record(
  {
    users: people,
    temporary: fc.array(fc.record({ users: somebody, ...ending }), { maxLength: 3 }),
  },
  { requiredKeys: [] },
);
const access = fc.record(
  {
    admins: level,
    viewers: level,
    clusterRoles: fc.array(
      fc.record(
        { name: fc.constantFrom('view', 'extra', 'more'), users: people, ...ending },
        { requiredKeys: ['name', 'users'] },
      ),
      { maxLength: 3 },
    ),
    roles: fc.array(
      fc.record(
        { name: fc.constantFrom('r', 's'), rules: fc.constant(rules), users: people, ...ending },
        { requiredKeys: ['name', 'rules', 'users'] },
      ),
      { maxLength: 3 },
    ),
  },
  { requiredKeys: [] },
);
/** Rules of a layer, whose names have its prefix: names in two layers of which one ends are refused. */
const network = (prefix: string) =>
  fc.record({
    allowFrom: fc.uniqueArray(
      fc.record(
        {
          name: fc.constantFrom('a', 'b', 'c').map((name) => `${prefix}-${name}`),
          namespaces: fc.constantFrom(['x'], ['x', 'y']),
          ...ending,
        },
        { requiredKeys: ['name', 'namespaces'] },
      ),
      { selector: ({ name }) => name, maxLength: 3 },
    ),
  });
const amounts = fc.dictionary(fc.constantFrom('pods', 'services'), fc.integer({ min: 1, max: 30 }));
const quota = fc.record({
  hard: amounts,
  temporary: fc.array(fc.record({ hard: amounts, ...ending }), { maxLength: 2 }),
});

const anyTenant = fc.record(
  {
    access,
    network: network('t'),
    quota,
    namespaces: fc
      .constantFrom(['one'], ['one', 'two'])
      .chain((names) =>
        fc.tuple(
          ...names.map((name) =>
            fc.record(
              { name: fc.constant(name), access, network: network('n') },
              { requiredKeys: ['name'] },
            ),
          ),
        ),
      ),
  },
  { requiredKeys: [] },
) as unknown as fc.Arbitrary<TenantSpec>;

const anyClass = fc.record(
  {
    defaults: fc.record({ access, network: network('c') }, { requiredKeys: [] }),
    ceilings: fc.constantFrom({}, { quota: { pods: 20 } }),
    allow: fc.constantFrom({}, { clusterRoles: ['extra'] }),
    exceptions: fc.array(
      fc.record(
        {
          tenants: fc.constantFrom(['acme'], ['other']),
          reason: fc.constant('agreed'),
          allow: fc.constantFrom({ clusterRoles: ['more'] }, { clusterRoles: ['extra', 'more'] }),
          ...ending,
        },
        { requiredKeys: ['tenants', 'reason', 'allow'] },
      ),
      { maxLength: 2 },
    ),
  },
  { requiredKeys: [] },
) as unknown as fc.Arbitrary<TenantClassSpec>;

function render(spec: TenantSpec, klass: TenantClassSpec, day: string | undefined): DesiredTenant {
  const fleet = new Fleet(resolvePlatform({ defaultClass: 'standard' }, day));
  fleet.classes.add(deepFreeze({ name: 'standard', spec: klass }));
  return fleet.desired(deepFreeze({ name: 'acme', spec }));
}

/** Removes by hand what ended before a day, and every other end date. */
function removeByHand<T>(value: T, day: string): T;
function removeByHand(value: unknown, day: string): unknown {
  if (Array.isArray(value)) {
    return value.filter((one) => !isOver(one, day)).map((one) => removeByHand(one as unknown, day));
  }
  if (!isMapping(value)) return value;
  const { until: _until, temporary, ...rest } = value;
  const kept =
    (temporary as { users?: string[]; hard?: Record<string, number> }[] | undefined)?.filter(
      (one) => !isOver(one, day),
    ) ?? [];
  const entries = Object.entries(rest).map(([key, inner]) => [key, removeByHand(inner, day)]);
  const lasting = Object.fromEntries(entries) as Record<string, unknown>;
  const users = kept.flatMap((one) => one.users ?? []);
  if (users.length > 0) {
    lasting['users'] = [...new Set([...((lasting['users'] as string[]) ?? []), ...users])];
  }
  for (const { hard = {} } of kept) {
    for (const [key, amount] of Object.entries(hard)) {
      const below = lasting['hard'] as Record<string, number>;
      if (below[key] !== undefined) below[key] = Math.max(below[key], amount);
    }
  }
  return lasting;
}

const isOver = (one: unknown, day: string): boolean =>
  isMapping(one) && typeof one['until'] === 'string' && one['until'] < day;

const output = ({ namespaces, argocd, projects, clusters }: DesiredTenant) => ({
  namespaces,
  argocd,
  projects,
  clusters,
});
const errorsOf = ({ findings }: DesiredTenant) =>
  findings.filter(({ severity }) => severity === 'error').map(({ rule }) => rule);
const isRefused = (one: DesiredTenant) => errorsOf(one).length > 0;

test('what is rendered for a day is what remains after a person removes all that has ended', () => {
  let rendered = 0;
  fc.assert(
    fc.property(anyTenant, anyClass, date, (spec, klass, day) => {
      const found = render(spec, klass, day);
      const byHand = render(removeByHand(spec, day), removeByHand(klass, day), undefined);
      expect(output(found)).toEqual(output(byHand));
      expect([...new Set(errorsOf(found))]).toEqual([...new Set(errorsOf(byHand))]);
      rendered += isRefused(found) ? 0 : 1;
    }),
    runs(300),
  );
  expect(rendered).toBeGreaterThan(50);
});

/** Lists what an output allows: subjects of bindings, rights, peers, and amounts. */
function listGiven({ namespaces }: DesiredTenant): Map<string, bigint> {
  const given = new Map<string, bigint>();
  for (const { name, objects } of namespaces) {
    for (const object of objects)
      for (const [what, amount] of listOf(object)) given.set(`${name} ${what}`, amount);
  }
  return given;
}

function listOf(object: KubeObject): (readonly [string, bigint])[] {
  const { kind, metadata } = object;
  const content = object as KubeObject & Record<string, unknown>;
  const id = `${kind} ${metadata.name}`;
  if (kind === 'RoleBinding') {
    return (content['subjects'] as { name: string }[]).map((one) => [`${id} ${one.name}`, 1n]);
  }
  if (kind === 'ResourceQuota') {
    const { hard } = content['spec'] as { hard: Record<string, string> };
    return Object.entries(hard).map(([key, amount]) => [`${id} ${key}`, parseQuantity(amount)!]);
  }
  return kind === 'Role' || kind === 'NetworkPolicy' ? [[id, 1n]] : [];
}

test('a later day gives no more than an earlier one', () => {
  fc.assert(
    fc.property(anyTenant, anyClass, date, date, (spec, klass, one, other) => {
      const [early, late] = [one, other].toSorted() as [string, string];
      const before = render(spec, klass, early);
      fc.pre(!isRefused(before));
      const given = listGiven(before);
      const left = [...listGiven(render(spec, klass, late))];
      const more = left.filter(([what, amount]) => amount > (given.get(what) ?? 0n));
      expect(more).toEqual([]);
    }),
    runs(300),
  );
});

test('within a period a tenant renders the same objects and findings', () => {
  fc.assert(
    fc.property(anyTenant, anyClass, date, date, (spec, klass, day, other) => {
      const endings = [...listTenantEndings({ spec }), ...listClassEndings({ spec: klass })];
      fc.pre(isInPeriod(findPeriod(endings, day), other));
      const [now, then] = [day, other].map((one) => render(spec, klass, one));
      expect(output(then!)).toEqual(output(now!));
      const shown = ({ findings }: DesiredTenant) =>
        findings.map(({ path, message }) => `${path.join('.')} ${message}`);
      expect(shown(then!)).toEqual(shown(now!));
    }),
    runs(300),
  );
});
