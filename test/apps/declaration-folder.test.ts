import { spawnSync } from 'node:child_process';
import { linkSync, mkdirSync, symlinkSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { readFolder } from '../../apps/declaration-folder.ts';
import {
  configMap,
  inFleet,
  platform,
  tenant,
  withFleet,
  withoutOrigins,
  type FleetFolder,
} from './fleet.ts';

const SECRET = 'hunter2';

const included = { resources: [{ file: 'resources/map.yaml' }] };

const start = {
  'tenants/a.yaml': tenant('acme', included),
  'tenants/resources/map.yaml': configMap('map'),
  'outside/secret.yaml': `password: ${SECRET}\n`,
  'outside/resources/map.yaml': configMap('map', { password: SECRET }),
};

/** Where a link is, and its target. */
const links: Readonly<Record<string, readonly [path: string, target: string]>> = {
  'to a file outside': ['tenants/b.yaml', '../outside/secret.yaml'],
  'to a file inside': ['tenants/b.yaml', 'a.yaml'],
  'to a folder outside': ['tenants/b', '../outside'],
  'to nothing': ['tenants/b.yaml', 'nowhere'],
  'to itself': ['tenants/b.yaml', 'b.yaml'],
  'to the folder that it is in': ['tenants/b', '.'],
  'that is no YAML file': ['tenants/notes.md', '../outside/secret.yaml'],
  'beside what is included': ['tenants/resources/b.yaml', '../../outside/secret.yaml'],
  'deep in what is included': ['tenants/resources/deep/b', '/etc/passwd'],
  'that is included': ['tenants/resources/map.yaml', '../../outside/secret.yaml'],
  'on the way to what is included': ['tenants/resources', '../outside/resources'],
};

test.each(Object.entries(links))('a link %s is refused once, and not followed', (_what, link) => {
  const [path, target] = link;
  withFleet(start, (fleet) => {
    fleet.remove(path);
    mkdirSync(join(fleet.folder, path, '..'), { recursive: true });
    symlinkSync(target, join(fleet.folder, path));
    const { problems, rules } = fleet.render();
    expect(problems).toEqual([`${path} must be a file or a folder, got a symbolic link`]);
    expect(rules).toEqual(['file']);
    expect(problems.join()).not.toContain(SECRET);
  });
});

test(
  'a link that replaces an included file is noticed, with and without a cache',
  inFleet(start, (fleet) => {
    const memory = { memory: 'memory' };
    fleet.rendered(memory);
    fleet.write({ 'same.yaml': configMap('map') });
    fleet.remove('tenants/resources/map.yaml');
    symlinkSync('../../same.yaml', join(fleet.folder, 'tenants/resources/map.yaml'));
    expect(fleet.render(memory).problems).toEqual([
      'tenants/resources/map.yaml must be a file or a folder, got a symbolic link',
    ]);
  }),
);

const fifo = (fleet: FleetFolder, path: string): void => {
  fleet.remove(path);
  expect(spawnSync('mkfifo', [join(fleet.folder, path)]).status).toBe(0);
};

test.each(['tenants/b.yaml', 'tenants/resources/map.yaml', 'tenants/notes'])(
  'a FIFO as %s is refused without blocking, with and without a cache',
  (path) => {
    withFleet(start, (fleet) => {
      const memory = { memory: 'memory' };
      fleet.rendered(memory);
      fifo(fleet, path);
      const problems = [`${path} must be a file or a folder, got a FIFO`];
      expect(fleet.render(memory).problems).toEqual(problems);
      expect(fleet.render().problems).toEqual(problems);
    });
  },
);

test('a socket is refused as one', async () => {
  const server = createServer();
  try {
    await new Promise<void>((resolve) => {
      withFleet({}, (fleet) => {
        server.listen(join(fleet.folder, 'tenants/s'));
        expect(fleet.render().problems).toEqual([
          'tenants/s must be a file or a folder, got a socket',
        ]);
        resolve();
      });
    });
  } finally {
    server.close();
  }
});

test(
  'hidden links are skipped like other hidden files: editors use them as locks',
  inFleet(start, (fleet) => {
    symlinkSync('nobody@nowhere.1234', join(fleet.folder, 'tenants/.#a.yaml'));
    expect(fleet.render().problems).toEqual([]);
  }),
);

test(
  'the folder of tenants and the platform file may be links, since the user names them',
  inFleet(start, (fleet) => {
    symlinkSync('tenants', join(fleet.folder, 'linked'));
    symlinkSync('tenantry.yaml', join(fleet.folder, 'linked.yaml'));
    const linked = { tenants: 'linked', platform: 'linked.yaml', out: 'other' };
    const files = fleet.rendered(linked);
    expect(files['clusters/in-cluster/tenants/acme/tenant.yaml']).toContain(' from linked/a.yaml.');
    expect(withoutOrigins(files)).toEqual(withoutOrigins(fleet.rendered()));
  }),
);

test(
  'a hard link is read like the file itself',
  inFleet(start, (fleet) => {
    linkSync(join(fleet.folder, 'tenants/a.yaml'), join(fleet.folder, 'outside/a.yaml'));
    expect(fleet.render().problems).toEqual([]);
  }),
);

const crd = JSON.stringify({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  spec: { group: 'example.com', scope: 'Namespaced', names: { kind: 'ClusterIssuer' } },
});

test(
  'the scope of a kind is not read from a link, a FIFO, or a file behind a link',
  inFleet({ 'real/a.yaml': crd, 'crds/.keep': '' }, (fleet) => {
    const at = (path: string) => join(fleet.folder, path);
    symlinkSync('../real/a.yaml', at('crds/b.yaml'));
    symlinkSync('real', at('linked'));
    fleet.write({ 'fifo/.keep': '' });
    fifo(fleet, 'fifo/c.yaml');
    const cases: Record<string, RegExp> = {
      crds: /crds\/b\.yaml must be a file, got a symbolic link$/,
      'crds/b.yaml': /crds\/b\.yaml must not be, or lie behind, a symbolic link$/,
      linked: /linked must not be, or lie behind, a symbolic link$/,
      'linked/a.yaml': /linked\/a\.yaml must not be, or lie behind, a symbolic link$/,
      fifo: /fifo\/c\.yaml must be a file, got a FIFO$/,
      'fifo/c.yaml': /fifo\/c\.yaml must be a file or a folder$/,
    };
    for (const [path, message] of Object.entries(cases)) {
      fleet.write({ 'tenantry.yaml': platform({ crdFiles: [path] }) });
      expect(fleet.render().problems).toEqual([expect.stringMatching(message)]);
    }
    for (const path of ['real', 'real/', './real/a.yaml', 'crds/../real']) {
      fleet.write({ 'tenantry.yaml': platform({ crdFiles: [path] }) });
      expect(fleet.render().problems).toEqual([]);
    }
  }),
);

test(
  'the content of a folder is sorted by name, apart from hidden files and declarations',
  inFleet(
    {
      'tenants/b/x.yml': '',
      'tenants/a.yaml': '',
      'tenants/a.txt': '',
      'tenants/resources/r.yaml': '',
      'tenants/b/resources/deep/r.yaml': '',
      'tenants/.hidden/h.yaml': '',
    },
    ({ folder }) => {
      const { declarations, files, problems } = readFolder(join(folder, 'tenants'));
      expect(declarations).toEqual(['a.yaml', 'b/x.yml']);
      expect([...files].toSorted()).toEqual([
        'a.txt',
        'a.yaml',
        'b/resources/deep/r.yaml',
        'b/x.yml',
        'resources/r.yaml',
      ]);
      expect([...problems]).toEqual([]);
    },
  ),
);
