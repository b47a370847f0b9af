import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { buildClaim, NameClaims, type TenantClaim } from '../../model/name-claims.ts';
import type { TenantDeclaration } from '../../model/declaration.ts';
import { Fleet } from '../../model/fleet.ts';
import { layout, parseTenantFile } from '../../model/layout.ts';
import { formatPath } from '@tenantry/kube/problem';
import { runs } from '@tenantry/kube/test/yaml/runs';

const tenant = (name: string, ...namespaces: string[]): TenantDeclaration => ({
  name,
  spec: { namespaces: namespaces.map((one) => ({ name: one })) },
});

/** Returns the findings about names that another tenant has. */
const takenOf = ({ findings }: ReturnType<Fleet['add']>): string[] =>
  findings
    .filter(({ rule }) => rule === 'duplicate-tenant' || rule === 'duplicate-namespace')
    .map(({ path, message }) => `${formatPath(path)} ${message}`);

const add = (fleet: Fleet, one: TenantDeclaration): string[] =>
  takenOf(fleet.add(one, `${one.name}.yaml`));

test('two tenants cannot have the same name, and the second one claims nothing', () => {
  const fleet = new Fleet();
  expect(add(fleet, tenant('a', 'a'))).toEqual([]);
  const second = fleet.add(tenant('a', 'b'), 'two.yaml');
  expect(takenOf(second)).toEqual([
    "metadata.name must be the only tenant of its name, got 'a', which a.yaml declares",
  ]);
  expect([second.clusters, second.namespaces]).toEqual([[], []]);
  expect(add(fleet, tenant('b', 'b'))).toEqual([]);
});

test('a namespace belongs to one tenant, on whichever cluster', () => {
  const fleet = new Fleet();
  add(fleet, tenant('a', 'shared', 'x'));
  const second = fleet.add(tenant('b', 'y', 'shared'), 'b.yaml');
  expect(takenOf(second)).toEqual([
    "spec.namespaces[1].name must be a namespace of one tenant only, got 'shared', which tenant a has (a.yaml)",
  ]);
  expect([second.clusters, second.namespaces]).toEqual([[], []]);
});

test("another tenant may have claimed the namespace of a tenant's own name before (CVE-2024-22031)", () => {
  const fleet = new Fleet();
  add(fleet, tenant('a', 'b'));
  expect(add(fleet, { name: 'b', spec: {} })).toEqual([
    "metadata.name must be a namespace of one tenant only, got 'b', which tenant a has (a.yaml)",
  ]);
});

test('names that are equal after adding a prefix conflict, and other names do not', () => {
  const fleet = new Fleet();
  const claim = (name: string, namespacePrefix: string, namespace: string) =>
    add(fleet, { name, spec: { namespacePrefix, namespaces: [{ name: namespace }] } });
  expect(claim('a', 'a-', 'b-c')).toEqual([]);
  expect(claim('b', 'a-b-', 'd')).toEqual([]);
  expect(claim('c', 'a-b-', 'c')).toHaveLength(1);
});

test('all errors of a tenant are reported at once', () => {
  const fleet = new Fleet();
  add(fleet, tenant('a', 'x'));
  const { name, spec } = tenant('b', 'x', 'kube-b');
  const { findings } = fleet.add({ name, spec: { ...spec, className: 'none' } }, 'b.yaml');
  expect(findings.map(({ rule }) => rule)).toEqual([
    'duplicate-namespace',
    'class',
    'protected-namespace',
  ]);
});

test('computing the desired state of a tenant claims no name', () => {
  const fleet = new Fleet();
  add(fleet, tenant('a', 'x'));
  expect(fleet.desired(tenant('b', 'x')).namespaces.map(({ name }) => name)).toEqual(['x']);
  expect(add(fleet, tenant('b', 'y'))).toEqual([]);
});

test('a released name goes to the next waiting tenant when that tenant is added again', () => {
  const fleet = new Fleet();
  const [first, next, last] = [tenant('a', 'x', 'y'), tenant('b', 'x'), tenant('c', 'x')];
  for (const one of [first, next, last]) add(fleet, one);
  const { desired, waiting } = fleet.replace(tenant('a', 'y'), 'a.yaml');
  expect([takenOf(desired), waiting]).toEqual([[], ['b', 'c']]);
  expect(takenOf(fleet.replace(next, 'b.yaml').desired)).toEqual([]);
  expect(takenOf(fleet.replace(last, 'c.yaml').desired)).toEqual([
    "spec.namespaces[0].name must be a namespace of one tenant only, got 'x', which tenant b has (b.yaml)",
  ]);
  expect(fleet.release('b')).toEqual(['c']);
  expect(fleet.release('b')).toEqual([]);
  expect(takenOf(fleet.replace(last, 'c.yaml').desired)).toEqual([]);
});

test('a tenant keeps its namespaces when it changes, and never gets a namespace of another one', () => {
  const fleet = new Fleet();
  add(fleet, tenant('a', 'x'));
  add(fleet, tenant('b', 'y'));
  expect(takenOf(fleet.replace(tenant('a', 'y', 'x'), 'a.yaml').desired)).toHaveLength(1);
  expect(takenOf(fleet.replace(tenant('b', 'y', 'x'), 'b.yaml').desired)).toHaveLength(1);
  expect(takenOf(fleet.replace(tenant('b', 'y'), 'b.yaml').desired)).toEqual([]);
  expect(takenOf(fleet.replace(tenant('a', 'x'), 'a.yaml').desired)).toEqual([]);
});

test('the names of a removed tenant are free, and replacing an unknown tenant adds it', () => {
  const fleet = new Fleet();
  add(fleet, tenant('a', 'x'));
  expect(add(fleet, tenant('a', 'x'))).toHaveLength(1);
  fleet.release('a');
  expect(fleet.isTaken({ name: 'a', namespaces: ['x'] })).toBe(false);
  expect(add(fleet, tenant('a', 'x'))).toEqual([]);
  expect(fleet.replace(tenant('b', 'y'), 'b.yaml').waiting).toEqual([]);
  expect(add(fleet, tenant('b', 'z'))).toHaveLength(1);
});

test('isTaken reports a taken name before it is claimed', () => {
  const fleet = new Fleet();
  fleet.claim({ name: 'a', namespaces: ['x'] }, 'a.yaml');
  expect(fleet.isTaken({ name: 'a', namespaces: [] })).toBe(true);
  expect(fleet.isTaken({ name: 'b', namespaces: ['y', 'x'] })).toBe(true);
  expect(fleet.isTaken({ name: 'b', namespaces: ['y'] })).toBe(false);
  expect(() => fleet.claim({ name: 'b', namespaces: ['x'] }, 'b.yaml')).toThrow(
    'what b claims must be free',
  );
  expect(add(fleet, tenant('b', 'x'))).toEqual([
    "spec.namespaces[0].name must be a namespace of one tenant only, got 'x', which tenant a has (a.yaml)",
  ]);
});

const label = fc.stringMatching(/^[a-z0-9]([a-z0-9-]{0,4}[a-z0-9])?$/);
const anyTenants = fc.uniqueArray(
  fc
    .tuple(label, fc.uniqueArray(label, { minLength: 1, maxLength: 3 }))
    .map(([name, namespaces]) => tenant(name, ...namespaces)),
  { selector: ({ name }) => name, maxLength: 6 },
);

test('in any fleet, tenants without errors share no namespace and no file', () => {
  fc.assert(
    fc.property(anyTenants, (list) => {
      const fleet = new Fleet();
      const good = list.filter((one) => add(fleet, one).length === 0).map(buildClaim);
      const names = good.flatMap(({ namespaces }) => namespaces);
      expect(new Set(names).size).toBe(names.length);
      const files = good.flatMap(({ name, namespaces }) => [
        layout.tenant('eu', name),
        ...namespaces.map((one) => layout.namespace('eu', name, one)),
      ]);
      expect(new Set(files).size).toBe(files.length);
      for (const { name, namespaces } of good) {
        expect(parseTenantFile(layout.tenant('eu', name))).toEqual({ cluster: 'eu', tenant: name });
        expect(parseTenantFile(layout.namespace('eu', name, namespaces[0]!))).toEqual({
          cluster: 'eu',
          tenant: name,
          namespace: namespaces[0],
        });
      }
    }),
    runs(240),
  );
});

/** The claims of a fleet as a plain list, in the order of their creation. */
class Model {
  readonly #claims: { readonly name: string; readonly namespace: string }[] = [];

  put(name: string, namespaces: readonly string[]): void {
    this.#remove((one) => one.name === name && !namespaces.includes(one.namespace));
    const before = this.of(name);
    for (const namespace of namespaces) {
      if (!before.includes(namespace)) this.#claims.push({ name, namespace });
    }
  }

  release(name: string): void {
    this.#remove((one) => one.name === name);
  }

  get names(): string[] {
    return [...new Set(this.#claims.map(({ name }) => name))];
  }

  of(name: string): string[] {
    return this.#claims.filter((one) => one.name === name).map(({ namespace }) => namespace);
  }

  holder(namespace: string): string | undefined {
    return this.#claims.find((one) => one.namespace === namespace)?.name;
  }

  /** Builds a fleet by making the claims one by one, in their order. */
  replayed(): Fleet {
    const fleet = new Fleet();
    const made = new Map<string, string[]>();
    for (const { name, namespace } of this.#claims) {
      made.set(name, [...(made.get(name) ?? []), namespace]);
      fleet.replace(tenant(name, ...made.get(name)!), `${name}.yaml`);
    }
    return fleet;
  }

  #remove(which: (one: { readonly name: string; readonly namespace: string }) => boolean): void {
    this.#claims.splice(0, Infinity, ...this.#claims.filter((one) => !which(one)));
  }
}

/** The findings of each tenant when it is replaced by itself. */
const answers = (fleet: Fleet, model: Model): Map<string, string[]> =>
  new Map(
    model.names.toSorted().map((name) => {
      const one = tenant(name, ...model.of(name).toSorted());
      return [name, takenOf(fleet.replace(one, `${name}.yaml`).desired)];
    }),
  );

const step = fc.record({
  what: fc.constantFrom('add', 'replace', 'replace', 'release'),
  name: fc.constantFrom('a', 'b', 'c', 'd'),
  namespaces: fc.uniqueArray(fc.constantFrom('x', 'y', 'z'), { minLength: 1 }),
});

test('a namespace belongs to the earliest claim that still exists, after any sequence of changes', () => {
  let moved = 0;
  fc.assert(
    fc.property(fc.array(step, { minLength: 8, maxLength: 16 }), (steps) => {
      const [fleet, model] = [new Fleet(), new Model()];
      for (const { what, name, namespaces } of steps) {
        const before = answers(fleet, model);
        let waiting: readonly string[] = [];
        if (what === 'release') {
          waiting = fleet.release(name);
          model.release(name);
        } else if (what === 'replace') {
          ({ waiting } = fleet.replace(tenant(name, ...namespaces), `${name}.yaml`));
          model.put(name, namespaces);
        } else {
          const refused = add(fleet, tenant(name, ...namespaces));
          if (model.names.includes(name)) expect(refused).toHaveLength(1);
          else model.put(name, namespaces);
        }
        const after = answers(fleet, model);
        for (const one of model.names) {
          const lost = model.of(one).filter((namespace) => model.holder(namespace) !== one);
          expect(after.get(one)).toHaveLength(lost.length);
          if (one === name) continue;
          expect(String(before.get(one)) !== String(after.get(one))).toBe(waiting.includes(one));
        }
        expect(answers(model.replayed(), model)).toEqual(after);
        moved += waiting.length;
      }
    }),
    runs(80),
  );
  expect(moved).toBeGreaterThan(60);
});

/** Returns the owner of each namespace when tenants claim in the order of the list. */
function ownersOf(claims: readonly TenantClaim[]): (string | undefined)[] {
  const names = new NameClaims();
  for (const claim of claims) names.replace(claim, `${claim.name}.yaml`);
  return ['x', 'y', 'z'].map((namespace) => names.findOwner(namespace)?.name);
}

const claimsOf = fc
  .array(fc.uniqueArray(fc.constantFrom('x', 'y', 'z'), { maxLength: 3 }), { maxLength: 5 })
  .map((lists) => lists.map((namespaces, i): TenantClaim => ({ name: `t${i}`, namespaces })));

test('the first tenant that claims a namespace owns it', () => {
  fc.assert(
    fc.property(claimsOf, (claims) => {
      const first = ['x', 'y', 'z'].map(
        (namespace) => claims.find(({ namespaces }) => namespaces.includes(namespace))?.name,
      );
      expect(ownersOf(claims)).toEqual(first);
    }),
    runs(300),
  );
});

test('tenants without a conflict own the same namespaces in whichever order they claim', () => {
  const inAnyOrder = fc
    .array(fc.constantFrom('t0', 't1', 't2'), { minLength: 3, maxLength: 3 })
    .map((owners) =>
      [...new Set(owners)].map((name): TenantClaim => ({
        name,
        namespaces: ['x', 'y', 'z'].filter((_, i) => owners[i] === name),
      })),
    )
    .chain((claims) =>
      fc.tuple(
        fc.constant(claims),
        fc.shuffledSubarray(claims, { minLength: claims.length, maxLength: claims.length }),
      ),
    );
  fc.assert(
    fc.property(inAnyOrder, ([claims, shuffled]) => {
      expect(ownersOf(shuffled)).toEqual(ownersOf(claims));
    }),
    runs(300),
  );
});
