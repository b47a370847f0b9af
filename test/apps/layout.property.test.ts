import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { runs } from '@tenantry/kube/test/yaml/runs';
import { inFleet, platform, tenant, tenantClass, withFleet, withoutOrigins } from './fleet.ts';

interface Model {
  readonly clusters: readonly string[];
  readonly environments: readonly string[];
  /** Tenants by name: their namespaces, each with an environment and clusters. */
  readonly tenants: Readonly<Record<string, readonly object[]>>;
  readonly total: boolean;
}

/** Puts everything into one file or each tenant into its own: the file must not matter. */
function textsOf({ clusters, environments, tenants, total }: Model): Record<string, string> {
  return {
    'tenantry.yaml': platform({ clusters: clusters.map((name) => ({ name })), environments }),
    'tenants/classes/class.yaml': tenantClass('default', {
      environments: environments.map((name) => ({ name, labels: { tier: name } })),
    }),
    ...Object.fromEntries(
      Object.entries(tenants).map(([name, namespaces]) => [
        `tenants/${name}.yaml`,
        tenant(name, { namespaces, ...(total && { quota: { total: { pods: '40' } } }) }),
      ]),
    ),
  };
}

const allClusters = ['eu1', 'us1', 'ap1'];
const allEnvironments = ['dev', 'prod'];

const namespaceOf = (
  tenant: string,
  clusters: readonly string[],
  environments: readonly string[],
) =>
  fc
    .record({
      environment: fc.constantFrom(...environments),
      clusters: fc.subarray([...clusters], { minLength: 1 }),
      n: fc.nat(3),
    })
    .map(({ n, ...rest }) => ({ name: `${tenant}-${n}`, ...rest }));

const models: fc.Arbitrary<Model> = fc
  .record({ clusters: fc.nat(1), environments: fc.nat(1), total: fc.boolean() })
  .chain(({ total, ...chosen }) => {
    const clusters = allClusters.slice(0, chosen.clusters + 1);
    const environments = allEnvironments.slice(0, chosen.environments + 1);
    const namespaces = (name: string) =>
      fc.uniqueArray(namespaceOf(name, clusters, environments), {
        selector: (one) => one.name,
        minLength: 1,
        maxLength: 3,
      });
    return fc
      .record({ b: namespaces('b'), c: namespaces('c') })
      .map((tenants) => ({ clusters, environments, tenants, total }));
  });

const growth: Record<string, { grow: (model: Model) => Model; changes: RegExp }> = {
  cluster: {
    // Each operator knows the whole platform.
    grow: (model) => ({ ...model, clusters: [...model.clusters, 'zz1'] }),
    changes: /\/operator\/operator\.yaml$/,
  },
  tenant: {
    grow: (model) => ({ ...model, tenants: { a: [{ name: 'a-0' }], ...model.tenants } }),
    changes: /^$/,
  },
  // It affects other namespaces of the tenant: they admit its pods and share a total with it.
  namespace: {
    grow: (model) => ({
      ...model,
      tenants: { ...model.tenants, b: [{ name: 'b-9' }, ...model.tenants['b']!] },
    }),
    changes: /\/tenants\/b\/[^/]+\.yaml$/,
  },
  environment: {
    grow: (model) => ({ ...model, environments: [...model.environments, 'test'] }),
    changes: /\/(tenantclasses\/default|operator\/operator)\.yaml$/,
  },
};

test.each(Object.keys(growth))(
  'another %s moves no file, and changes only related files',
  (kind) => {
    const { grow, changes } = growth[kind]!;
    fc.assert(
      fc.property(models, (model) => {
        withFleet(textsOf(model), (fleet) => {
          const before = fleet.rendered();
          fleet.write(textsOf(grow(model)));
          const after = fleet.rendered();
          const changed = Object.keys(before).filter((path) => before[path] !== after[path]);
          expect(changed.filter((path) => !changes.test(path))).toEqual([]);
          expect(Object.keys(before).filter((path) => !(path in after))).toEqual([]);
        });
      }),
      runs(8),
    );
  },
);

test('file names change only the line that states them, and the order of tenants in a file changes nothing', () => {
  fc.assert(
    fc.property(models, (model) => {
      const texts = textsOf(model);
      const declared = Object.entries(texts).filter(([path]) => path.startsWith('tenants/'));
      const together = {
        'tenantry.yaml': texts['tenantry.yaml']!,
        'tenants/classes/all.yml': declared
          .map(([, text]) => text)
          .toReversed()
          .join('---\n'),
      };
      const one = withFleet(texts, (fleet) => fleet.rendered());
      const other = withFleet(together, (fleet) => fleet.rendered());
      expect(withoutOrigins(other)).toEqual(withoutOrigins(one));
    }),
    runs(4),
  );
});

test(
  'folders sort in the order in which they must be applied',
  inFleet({ 'tenants/acme.yaml': tenant('acme') }, (fleet) => {
    const folders = Object.keys(fleet.rendered())
      .map((path) => /^clusters\/[^/]+\/([^/]+)/.exec(path)?.[1])
      .filter((folder) => folder !== undefined);
    expect([...new Set(folders)].toSorted()).toEqual([
      'crds',
      'operator',
      'policies',
      'tenantclasses',
      'tenants',
    ]);
  }),
);

test(
  'the file of a namespace begins with the Namespace',
  inFleet(
    { 'tenants/acme.yaml': tenant('acme', { access: { admins: { groups: ['a'] } } }) },
    (fleet) => {
      const files = Object.entries(fleet.rendered()).filter(([path]) =>
        /^clusters\/[^/]+\/tenants\/[^/]+\/namespace-/.test(path),
      );
      expect(files.length).toBeGreaterThan(0);
      for (const [, text] of files)
        expect(text).toMatch(/^# Generated by .*\napiVersion: v1\nkind: Namespace\n/);
    },
  ),
);
