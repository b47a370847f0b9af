import { expect, test } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  ftruncateSync,
  closeSync,
  mkdirSync,
  openSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { readBundle } from '../../folder/read-bundle.ts';
import { inFolder, place } from '@tenantry/test-tools/synth/output/folders';
import { sdkProject } from '../project/shops.ts';
import { csv, faultsOf, sample } from '../sample.ts';

/** Runs a test with the sample in a folder, and with the folder above. */
const withSample = (body: (bundle: string, above: string) => void) =>
  inFolder((above) => {
    const bundle = join(above, 'bundle');
    place(bundle, sample);
    body(bundle, above);
  });

test(
  'a folder is read whole, including hidden files and folders without files',
  withSample((bundle) => {
    place(bundle, { 'manifests/.hidden': 'x', '.git/config': 'x', 'a/b/c.txt': 'x' });
    mkdirSync(join(bundle, 'manifests', 'empty'));
    const { faults, files, folders, csv } = readBundle(bundle);
    expect(faults).toEqual([]);
    expect(files.map(({ path }) => path)).toEqual([
      'a/b/c.txt',
      'manifests/.hidden',
      'manifests/example.com_redises.yaml',
      'manifests/redis-operator.clusterserviceversion.yaml',
      'metadata/annotations.yaml',
    ]);
    expect(folders).toEqual(['.git', 'a', 'a/b', 'manifests', 'manifests/empty', 'metadata']);
    expect(csv?.name).toBe('redis-operator.v1.2.3');
  }),
);

test(
  'a path that is not a folder, or an empty folder, is reported',
  inFolder((folder) => {
    place(folder, { 'file.yaml': csv });
    mkdirSync(join(folder, 'empty'));
    const must = ' [bundle-folder] must be the folder of a bundle or an OCI image layout, got';
    expect(faultsOf(readBundle(join(folder, 'nowhere')))).toEqual([`${must} nothing`]);
    expect(faultsOf(readBundle(join(folder, 'file.yaml')))).toEqual([`${must} a file`]);
    expect(faultsOf(readBundle(join(folder, 'empty')))).toEqual([
      ' [empty-bundle] must contain a bundle (manifests/ and metadata/), got no file',
    ]);
  }),
);

test(
  'a project is not a bundle, even with a ClusterServiceVersion in its config/: the error names the command',
  inFolder((folder) => {
    place(folder, sdkProject);
    const must = ' [bundle-folder] must be the folder of a bundle or an OCI image layout, got';
    const made = 'a project: make its bundle by tenantry bundle import';
    expect(faultsOf(readBundle(folder))).toEqual([`${must} ${made}`]);
    expect(faultsOf(readBundle(join(folder, 'config')))).toEqual([
      `${must} the config/ of a project: give the project to tenantry bundle import`,
    ]);
    expect(faultsOf(readBundle(join(folder, 'config', 'manifests')))).toEqual([
      `${must} a part of the config/ of a project: give the project to tenantry bundle import`,
    ]);
    place(join(folder, 'bundle'), sample);
    expect(faultsOf(readBundle(folder))).toEqual([`${must} ${made}, or name its bundle/`]);
    expect(faultsOf(readBundle(join(folder, 'bundle')))).toEqual([]);
  }),
);

test(
  'files beside the manifests of a bundle do not make it a project',
  withSample((bundle) => {
    const kustomization = 'resources: []\n';
    place(bundle, {
      'config/default/kustomization.yaml': kustomization,
      'default/kustomization.yaml': kustomization,
    });
    expect(readBundle(bundle).csv?.name).toBe('redis-operator.v1.2.3');
  }),
);

test(
  'a link is followed only to a file of the bundle',
  withSample((bundle, above) => {
    place(above, { 'secret.yaml': 'kind: Secret\n' });
    const link = (target: string, name: string) => {
      symlinkSync(target, join(bundle, 'manifests', name));
    };
    place(bundle, { 'shared/service.yaml': 'kind: Service\n' });
    link('../shared/service.yaml', 'inside.yaml');
    link('../../secret.yaml', 'outside.yaml');
    link(join(above, 'secret.yaml'), 'absolute.yaml');
    // A folder beside it whose name has the same beginning.
    const beside = `${basename(bundle)}-of-others`;
    place(above, { [`${beside}/secret.yaml`]: 'kind: Secret\n' });
    link(`../../${beside}/secret.yaml`, 'beside.yaml');
    link('nothing.yaml', 'broken.yaml');
    link('loop.yaml', 'loop.yaml');
    link('../metadata', 'folder');
    const read = readBundle(bundle);
    expect(faultsOf(read).toSorted()).toEqual([
      'manifests/absolute.yaml [link] must be in the bundle, got a link that leads out of it',
      'manifests/beside.yaml [link] must be in the bundle, got a link that leads out of it',
      'manifests/broken.yaml [link] must be a file or a folder, got a link to nothing',
      'manifests/folder [link] must be a file or a folder, got a link to a folder',
      'manifests/loop.yaml [link] must be a file or a folder, got a link to nothing',
      'manifests/outside.yaml [link] must be in the bundle, got a link that leads out of it',
    ]);
    expect(read.manifests.map(({ kind }) => kind)).toContain('Service');
    expect(read.manifests.map(({ kind }) => kind)).not.toContain('Secret');
  }),
);

test(
  'a file of 10 GB is reported and not read, and a pipe does not block',
  withSample((bundle) => {
    const file = openSync(join(bundle, 'manifests', 'large.yaml'), 'w');
    ftruncateSync(file, 10 * 2 ** 30);
    closeSync(file);
    execFileSync('mkfifo', [join(bundle, 'manifests', 'pipe.yaml')]);
    const before = process.memoryUsage().rss;
    expect(faultsOf(readBundle(bundle)).toSorted()).toEqual([
      'manifests/large.yaml [file-size] must be at most 16 MiB, got 10240 MiB',
      'manifests/pipe.yaml [special-file] must be a file or a folder, got something else',
    ]);
    expect(process.memoryUsage().rss - before).toBeLessThan(200 * 2 ** 20);
  }),
);

test(
  'of a folder beyond the limits of a bundle, no more than the limit is read',
  inFolder((folder) => {
    for (let i = 0; i < 5; i += 1) {
      writeFileSync(join(folder, `${i}.bin`), Buffer.alloc(15 * 2 ** 20));
    }
    expect(faultsOf(readBundle(folder))).toEqual([
      ' [bundle-size] must contain at most 64 MiB, got more',
    ]);
  }),
);

test(
  'endless files are not read to their end',
  inFolder((folder) => {
    for (let i = 0; i < 10_001; i += 1) writeFileSync(join(folder, `${i}.txt`), '');
    const { faults, files } = readBundle(folder);
    expect(faults.map(({ message }) => message)).toEqual([
      'must contain at most 10000 files and folders, got more',
    ]);
    expect(files).toHaveLength(10_000);
  }),
);

test(
  'nested folders are limited',
  withSample((bundle) => {
    mkdirSync(join(bundle, ...Array<string>(40).fill('a')), { recursive: true });
    expect(faultsOf(readBundle(bundle))).toEqual([
      `${Array(17).fill('a').join('/')} [folder-depth] must be at most 16 folders deep`,
    ]);
  }),
);

const isRoot = process.getuid?.() === 0;
(isRoot ? test.skip : test)(
  `a file without read permission is reported${isRoot ? ' [skipped: root reads what nobody may]' : ''}`,
  withSample((bundle) => {
    chmodSync(join(bundle, 'metadata', 'annotations.yaml'), 0);
    expect(faultsOf(readBundle(bundle))).toEqual([
      'metadata/annotations.yaml [file] cannot be read: EACCES',
    ]);
  }),
);
