import { expect, test } from '@jest/globals';
import { measureSize } from '../../apps/size.ts';
import { Tenant } from '../../constructs/tenant/tenant.ts';
import { TenantClass } from '../../constructs/tenant/tenant-class.ts';
import type { App } from '../../synth/app.ts';
import { configMap, inFleet, platform, tenant, tenantClass, withFleet } from './fleet.ts';

const tenantsOf = (files: Readonly<Record<string, string>>): string[] => [
  ...new Set(Object.keys(files).flatMap((path) => /\/tenants\/([^/]+)\//.exec(path)?.[1] ?? [])),
];

test(
  'tenants may be in any number of files and folders, except hidden ones and resources',
  inFleet(
    {
      'tenants/a.yaml': `${tenant('one')}---\n${tenant('two')}`,
      'tenants/deep/er/b.yml': tenant('three'),
      'tenants/deep/resources.yaml': tenant('four'),
      'tenants/resources/c.yaml': tenant('five'),
      'tenants/deep/resources/more/d.yaml': tenant('six'),
      'tenants/.hidden.yaml': tenant('seven'),
      'tenants/.git/e.yaml': tenant('eight'),
      'tenants/notes.txt': tenant('nine'),
      'tenants/f.yaml.bak': tenant('ten'),
      'tenants/empty.yaml': '# nothing yet\n',
      'tenants/folder.yaml/h.yaml': tenant('twelve'),
    },
    (fleet) => {
      expect(tenantsOf(fleet.rendered())).toEqual(['four', 'one', 'three', 'twelve', 'two']);
      const { summary } = fleet.render();
      expect(
        summary!.warnings.map(({ file, rule }) => `${rule} ${file!.split('/').at(-1)}`),
      ).toEqual(['empty-file empty.yaml', 'file-left-out f.yaml.bak']);
    },
  ),
);

test(
  'a class may be in any file of the folder of classes, also after the tenants that choose it',
  inFleet(
    {
      'tenants/a.yaml': tenant('acme', { className: 'gold' }),
      'tenants/classes/z.yaml': `${tenant('last')}---\n${tenantClass('gold', { defaults: { labels: { tier: 'gold' } } })}`,
    },
    (fleet) => {
      const files = fleet.rendered();
      const at = 'clusters/in-cluster';
      expect(files[`${at}/tenants/acme/namespace-acme.yaml`]).toContain('\n    tier: gold\n');
      expect(files[`${at}/tenantclasses/gold.yaml`]).toContain('\nkind: TenantClass\n');
      fleet.write({ 'tenants/classes/y.yaml': tenantClass('gold') });
      expect(fleet.render().problems).toEqual([
        expect.stringMatching(
          /^tenants\/classes\/z\.yaml:8:18 metadata\.name must be the only class of its name, got 'gold' again$/,
        ),
      ]);
    },
  ),
);

test(
  'an included path is relative to the file that includes it',
  inFleet(
    {
      'tenants/team/a.yaml': tenant('acme', { resources: [{ file: 'resources/map.yaml' }] }),
      'tenants/team/resources/map.yaml': configMap('included', { a: 'b' }),
    },
    (fleet) => {
      const text =
        fleet.rendered()['clusters/in-cluster/tenants/acme/resources/namespace-acme.yaml'];
      expect(text).toMatch(/kind: ConfigMap\n.*name: included\n {2}namespace: acme\n/s);
    },
  ),
);

const crd = (kind: string, scope: string, group = 'example.com'): string =>
  JSON.stringify({
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${kind}s.${group}` },
    spec: { group, scope, names: { kind } },
  });

test(
  'the scope of a custom resource is read from the files of the platform',
  inFleet(
    {
      'tenants/acme.yaml': tenant('acme', {
        resources: ['Widget', 'Planet'].map((kind) => ({
          manifest: { apiVersion: 'example.com/v1', kind, metadata: { name: 'x' } },
        })),
      }),
    },
    (fleet) => {
      const kinds = (): string[] =>
        fleet
          .render()
          .problems.map(
            (word) => /'(example\.com\/)?(Widget|Planet)[^']*'/.exec(word)?.[2] ?? word,
          );
      expect(kinds()).toEqual(['Widget', 'Planet']);
      fleet.write({
        'tenantry.yaml': platform({ crdFiles: ['crds', 'planet.yaml'] }),
        'crds/widget.yml': `${crd('Widget', 'Namespaced')}\n---\n${configMap('not-a-crd')}`,
        'crds/readme.md': '{',
        'planet.yaml': crd('Planet', 'Cluster'),
      });
      expect(kinds()).toEqual(['Planet']);
      fleet.write({ 'planet.yaml': crd('Planet', 'Namespaced') });
      expect(fleet.render().problems).toEqual([]);
      for (const [text, message] of [
        ['{', /planet\.yaml:1:\d+ must be YAML/],
        [crd('', 'Namespaced').replace('"kind":""', '"x":1'), /without group or kind/],
      ] as const) {
        fleet.write({ 'planet.yaml': text });
        const [problem] = fleet.render().problems;
        expect(problem).toMatch(
          /^tenantry\.yaml:4:\d+ spec\.crdFiles\[1\] must be a file or folder/,
        );
        expect(problem).toMatch(message);
      }
    },
  ),
);

test(
  "every cluster has the platform's own objects and the classes, and its own tenants only",
  inFleet(
    {
      'tenantry.yaml': platform({ clusters: [{ name: 'eu1' }, { name: 'us1' }] }),
      'tenants/acme.yaml': tenant('acme'),
      'tenants/both.yaml': tenant('both', { clusters: ['us1', 'eu1'] }),
    },
    (fleet) => {
      const paths = Object.keys(fleet.rendered());
      const own = [
        'crds/tenantclasses.tenantry.dev.yaml',
        'crds/tenants.tenantry.dev.yaml',
        'operator/operator.yaml',
        'policies/tenant-adoption.yaml',
        'policies/tenant-allow-lists.yaml',
        'policies/tenant-disruption-budgets.yaml',
        'policies/tenant-guard.yaml',
        'policies/tenant-hardening.yaml',
        'policies/tenant-names.yaml',
        'policies/tenant-network-policies.yaml',
        'policies/tenant-pods.yaml',
        'policies/tenant-reserved-keys.yaml',
        'policies/tenant-role-bindings.yaml',
        'policies/tenant-services.yaml',
        'policies/tenant-templates.yaml',
        'policies/tenant-token-secrets.yaml',
        'policies/tenant-tokens.yaml',
        'tenantclasses/default.yaml',
      ];
      const filesOf = (name: string) => [
        `tenants/${name}/namespace-${name}.yaml`,
        `tenants/${name}/rbac/namespace-${name}.yaml`,
        `tenants/${name}/resources/namespace-${name}.yaml`,
        `tenants/${name}/tenant.yaml`,
      ];
      const both = filesOf('both');
      const acme = filesOf('acme');
      expect(paths.toSorted()).toEqual([
        '.gitattributes',
        'README.md',
        ...[...own, ...acme, ...both].map((path) => `clusters/eu1/${path}`),
        ...[...own, ...both].map((path) => `clusters/us1/${path}`),
      ]);
    },
  ),
);

test(
  'an empty fleet has the objects of the platform, and a README that explains the folders',
  inFleet({}, (fleet) => {
    const files = fleet.rendered();
    expect(tenantsOf(files)).toEqual([]);
    const folders = Object.keys(files).flatMap(
      (path) => /^clusters\/[^/]+\/([^/]+)/.exec(path)?.[1] ?? [],
    );
    for (const folder of folders) {
      expect(files['README.md']).toContain(`\`clusters/<cluster>/${folder}\``);
    }
    const { summary } = fleet.render();
    expect(summary).toMatchObject({ changes: { written: [] } });
    expect(measureSize(summary!).tenants).toBe(0);
  }),
);

test.each([
  ['a value', tenantClass('gold', { ceilings: { podSecurity: 'loose' } }), 1],
  [
    'a file that it includes',
    tenantClass('gold', { defaults: { resources: [{ file: 'no.yaml' }] } }),
    1,
  ],
  ['YAML', `${tenantClass('gold')}  - [`, 1],
])('a class with a mistake in %s is one problem, however many choose it', (_what, text, count) => {
  const chosen = { className: 'gold' };
  withFleet(
    {
      'tenants/classes/gold.yaml': text,
      'tenants/a.yaml': tenant('a', chosen),
      'tenants/b.yaml': tenant('b', { ...chosen, contact: { nobody: 'x' } }),
    },
    (fleet) => {
      const { problems } = fleet.render();
      expect(problems.filter((one) => one.startsWith('tenants/classes/gold.yaml'))).toHaveLength(
        count,
      );
      expect(problems.filter((one) => one.startsWith('tenants/a.yaml'))).toEqual([]);
      expect(problems.filter((one) => one.startsWith('tenants/b.yaml'))).toEqual([
        expect.stringContaining('spec.contact.nobody must be a key'),
      ]);
    },
  );
});

test.each([
  ['nobody declares', {}],
  ['has a mistake', { 'tenants/classes/gold.yaml': tenantClass('gold', { ceilings: 1 }) }],
  ['extends another one', { 'tenants/classes/gold.yaml': tenantClass('gold', { extends: 'x' }) }],
])('a class that extends one which %s is one problem, however many choose it', (_what, more) => {
  const chosen = { className: 'child' };
  const files = {
    'tenants/classes/child.yaml': tenantClass('child', { extends: 'gold' }),
    'tenants/a.yaml': tenant('a', chosen),
    'tenants/b.yaml': tenant('b', chosen),
    ...more,
  };
  withFleet(files, (fleet) => {
    const { problems } = fleet.render();
    expect(problems).toHaveLength(1);
    expect(problems[0]).toContain('tenants/classes/');
  });
});

test('a class of a file and one in TypeScript extend each other equally', () => {
  const files = {
    'tenants/classes/child.yaml': tenantClass('child', { extends: 'typed' }),
    'tenants/classes/base.yaml': tenantClass('base', { defaults: { labels: { team: 'base' } } }),
    'tenants/a.yaml': tenant('a', { className: 'child' }),
  };
  withFleet(files, (fleet) => {
    const add = (app: App): void => {
      new TenantClass(app, 'typed', { defaults: { labels: { team: 'typed' } } });
      new TenantClass(app, 'other', { extends: 'base' });
      new Tenant(app, 'b', { className: 'other' });
    };
    const rendered = fleet.rendered({ add });
    const of = (name: string) =>
      rendered[`clusters/in-cluster/tenants/${name}/namespace-${name}.yaml`];
    expect(of('a')).toContain('team: typed\n');
    expect(of('b')).toContain('team: base\n');
  });
});

test('a class in TypeScript that extends an unknown class is one problem', () => {
  withFleet({}, (fleet) => {
    const add = (app: App): void => {
      new TenantClass(app, 'child', { extends: 'gold' });
      new Tenant(app, 'a', { className: 'child' });
    };
    expect(fleet.render({ add }).problems).toEqual([
      expect.stringMatching(
        /\[child\] spec\.extends must be a declared TenantClass \(default\), got 'gold'$/,
      ),
    ]);
  });
});

test('an undeclared class is reported at each tenant that chooses it', () => {
  withFleet({ 'tenants/a.yaml': tenant('a', { className: 'gold' }) }, (fleet) => {
    expect(fleet.render().rules).toEqual(['class']);
  });
});

test('if the default class has a mistake, no tenant is validated with the built-in one', () => {
  const broken = tenantClass('default', { ceilings: { namespaces: 'many' } });
  const many = Array.from({ length: 20 }, (_, i) => ({ name: `a${i}` }));
  const files = {
    'tenants/classes/default.yaml': broken,
    'tenants/a.yaml': tenant('a', { namespaces: many }),
  };
  withFleet(files, (fleet) => expect(fleet.render().problems).toHaveLength(1));
});
