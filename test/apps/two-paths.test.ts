import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from '@jest/globals';
import { readDeclarations, type Declared } from '../../crds/declarations.ts';
import { tenant as tenantKind } from '../../crds/tenant.ts';
import { tenantClass as classKind } from '../../crds/tenant-class.ts';
import { Tenant } from '../../constructs/tenant/tenant.ts';
import { TenantClass } from '../../constructs/tenant/tenant-class.ts';
import type { App } from '../../synth/app.ts';
import {
  configMap,
  inFleet,
  platform,
  tenant,
  tenantClass,
  withoutOrigins,
  type FleetFolder,
} from './fleet.ts';

const repository = join(import.meta.dirname, '..', '..');

/** @returns the declarations, with the file below the folder */
function declaredIn(folder: string): (Declared & { readonly place: string })[] {
  const names = globSync('**/*.{yaml,yml}', { cwd: folder });
  return names
    .filter((name) => !name.split('/').includes('resources'))
    .flatMap((name) => {
      const file = join(folder, name);
      const read = (path: string) => readFileSync(join(dirname(file), path), 'utf8');
      const include = (path: string) => ({ file: path, text: read(path) });
      const { declared } = readDeclarations(
        file,
        read(name.split('/').at(-1)!),
        [tenantKind, classKind],
        include,
      );
      return declared.map((one) => ({ ...one, place: name }));
    });
}

/** The same declarations as constructs. */
function addAll(declared: readonly Declared[]): (app: App) => void {
  return (app) => {
    for (const { kind, name, spec } of declared) {
      if (kind === classKind.kind) new TenantClass(app, `class-${name}`, { name, ...spec });
    }
    for (const { kind, name, spec } of declared.toReversed()) {
      if (kind === tenantKind.kind) new Tenant(app, name, spec);
    }
  };
}

/** Metadata of the object itself, which the props of constructs lack, so the declaration stays a file. */
const hasMetadata = (one: Declared): boolean => (one.labels ?? one.annotations) !== undefined;

const asFile = ({ kind, name, labels, annotations, spec }: Declared): string =>
  `${JSON.stringify({ apiVersion: tenantKind.apiVersion, kind, metadata: { name, labels, annotations }, spec })}\n`;

function bothPaths(fleet: FleetFolder, folder: string, file: string) {
  const declared = declaredIn(folder);
  expect(declared.length).toBeGreaterThan(0);
  const fromFiles = fleet.rendered({ tenants: folder, platform: file, out: 'files' });
  // The folder decides which declarations are allowed.
  const others = Object.groupBy(declared.filter(hasMetadata), ({ place }) => place);
  fleet.write({
    'others/.keep': '',
    ...Object.fromEntries(
      Object.entries(others).map(([place, some = []]) => [
        `others/${place}`,
        some.map(asFile).join('---\n'),
      ]),
    ),
  });
  const fromConstructs = fleet.rendered({
    tenants: 'others',
    platform: file,
    out: 'constructs',
    add: addAll(declared.filter((one) => !hasMetadata(one))),
  });
  return {
    fromFiles: withoutOrigins(fromFiles),
    fromConstructs: withoutOrigins(fromConstructs),
  };
}

test(
  "this repository's tenants give the same bytes as files and as constructs",
  inFleet({}, (fleet) => {
    const { fromFiles, fromConstructs } = bothPaths(
      fleet,
      join(repository, 'tenants'),
      join(repository, 'tenantry.yaml'),
    );
    expect(Object.keys(fromConstructs)).toEqual(Object.keys(fromFiles));
    const different = Object.keys(fromFiles).filter(
      (path) => fromFiles[path] !== fromConstructs[path],
    );
    expect(different).toEqual([]);
  }),
);

const everything = {
  description: 'x: "y"\n# z',
  lifecycle: 'Active',
  environment: 'prod',
  namespacePrefix: 'all-',
  className: 'full',
  clusters: ['us1', 'eu1'],
  labels: { z: '', a: 'yes', '1': '0x1F' },
  annotations: { note: 'two\nlines\n', empty: '', blank: ' ' },
  contact: { team: 'Ünïcode 🙂', channel: '#a' },
  quota: { total: { 'requests.cpu': '7' }, hard: { pods: 10 } },
  access: { admins: { groups: ['b', 'a'] }, editors: { users: ['no', '1e3'] } },
  namespaces: [{ name: 'b' }, { name: 'a', environment: 'dev', labels: { a: 'no' } }],
  resources: [
    { file: 'resources/map.yaml' },
    { manifest: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'o' }, data: { k: '' } } },
  ],
};

test(
  'a Tenant with many fields renders the same bytes as a file and as a construct',
  inFleet(
    {
      'tenantry.yaml': platform({ clusters: [{ name: 'eu1' }, { name: 'us1' }] }),
      'tenants/all.yaml': tenant('all', everything),
      'tenants/b.yaml': `${tenant('one')}---\n${tenant('two', { lifecycle: 'Suspended' })}`,
      'tenants/resources/map.yaml': configMap('m', { n: '012', y: 'on', long: 'w '.repeat(90) }),
      'tenants/classes/class.yaml': tenantClass('full', {
        environments: [{ name: 'dev', quota: { hard: { pods: 3 } } }],
        defaults: { annotations: { from: 'class' } },
        allow: {
          labels: ['z', 'a', '1'].map((key) => ({ key })),
          annotations: ['note', 'empty', 'blank'].map((key) => ({ key })),
        },
      }),
    },
    (fleet) => {
      const { fromFiles, fromConstructs } = bothPaths(
        fleet,
        join(fleet.folder, 'tenants'),
        'tenantry.yaml',
      );
      // The Tenant, and three files for each of two namespaces, on two clusters.
      expect(Object.keys(fromFiles).filter((path) => /^clusters.*\/all\//.test(path))).toHaveLength(
        14,
      );
      expect(fromConstructs).toEqual(fromFiles);
    },
  ),
);
