import { expect, test } from '@jest/globals';
import { dirname } from 'node:path';
import { rich } from '@tenantry/olm/test/constructs/import/rich';
import { lackOfKustomize } from '../olm/project/kustomized.ts';
import { sdkProject } from '@tenantry/olm/test/project/shops';
import { csv, sample } from '@tenantry/olm/test/sample';
import { testUnless } from '../skipping.ts';
import { inProject } from './project.ts';

const testProject = testUnless(await lackOfKustomize());

const CSV = 'manifests/redis-operator.clusterserviceversion.yaml';

const inBundle = (files: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(files).map(([path, text]) => [`redis/${path}`, text]));

const shopsProject = Object.fromEntries(
  Object.entries(sdkProject).map(([path, text]) => [`shops/${path}`, text]),
);

const typo = { ...sample, [CSV]: csv.replace('version: 1.2.3', 'miniKubeVersion: 1.28.0') };

test(
  'a bundle becomes a program, which is never overwritten',
  inProject(inBundle(rich), async (project) => {
    const { code, out, err } = await project.tenantry('bundle import redis --to ops/redis');
    expect(code).toBe(0);
    expect(err).toMatch(
      /^warning redis\/manifests\/old\.yaml:\d+:\d+ .* \(definition-preserve-unknown-fields, accepted\)\n/,
    );
    expect(out).toMatch(/^redis-operator 1\.2\.3 in ops\/redis: \d+ files\n/);
    const tree = project.tree('ops');
    expect(Object.keys(tree).filter((path) => !path.endsWith('/'))).toEqual([
      'redis/app.ts',
      'redis/bundle.ts',
      'redis/definitions/example.com/redises.ts',
      'redis/icon.ts',
      'redis/manifests.ts',
      'redis/operator.ts',
      'redis/scorecard.ts',
    ]);
    const again = await project.tenantry('bundle import redis --to ops/redis');
    expect(again.code).toBe(1);
    expect(again.err).toContain('error ops/redis/app.ts must not exist');
    expect(project.tree('ops')).toEqual(tree);
  }),
);

test(
  'if parts cannot be imported, nothing is written unless --partial is given',
  inProject({ ...inBundle(typo), 'out/mine.ts': 'mine' }, async (project) => {
    const refused = await project.tenantry('bundle import redis --to out');
    expect(refused.code).toBe(1);
    expect(refused.err).toMatch(
      /^error redis\/manifests\/redis-operator\.clusterserviceversion\.yaml:\d+:\d+ spec\.miniKubeVersion is not carried over: .*did you mean 'minKubeVersion'\? \(not-carried-over\)$/m,
    );
    expect(project.tree('out')).toEqual({ 'mine.ts': 'mine' });
    const part = await project.tenantry('bundle import redis --to out --partial --output json');
    expect([part.code, part.err]).toEqual([0, '']);
    expect(JSON.parse(part.out)).toMatchObject({
      command: 'bundle import',
      outcome: 'done',
      problems: [],
      warnings: expect.arrayContaining([
        expect.objectContaining({ path: 'spec.miniKubeVersion', rule: 'not-carried-over' }),
      ]),
    });
    expect(project.tree('out')).toMatchObject({ 'mine.ts': 'mine', 'app.ts': expect.anything() });
  }),
);

testProject(
  'the config/ of a project becomes the program of its bundle, and objects that OLM creates itself are reported',
  inProject(shopsProject, async (project) => {
    const { code, out, err } = await project.tenantry('bundle import shops --to packaging');
    expect(code).toBe(0);
    expect(err.split('\n').filter(Boolean)).toEqual([
      'warning shops/config/manifests is left out: Namespace shops-system: OLM installs the operator into the namespace of its OperatorGroup (project)',
      'warning shops/config/manifests is left out: Issuer shops-selfsigned-issuer: OLM issues the certificates of webhooks (project)',
    ]);
    expect(out).toMatch(/^shops 1\.2\.0 in packaging: \d+ files\n/);
    const definition = project.tree()['packaging/definitions/example.com/shops.ts'];
    expect(definition).toContain('tenantry crd import shops/config/crd/bases\n');
  }),
);

testProject(
  'definitions from an import are rewritten by `crd import` as the project changes',
  inProject(shopsProject, async (project) => {
    await project.tenantry('bundle import shops --to packaging');
    const again = 'crd import shops/config/crd/bases --out packaging/definitions';
    expect(await project.tenantry(again)).toMatchObject({ code: 0, err: '' });
    expect(project.tree()).toHaveProperty(['packaging/definitions/example.com/shops.ts']);
  }),
);

test(
  'the config/ of a project alone is no bundle, even with a ClusterServiceVersion in it',
  inProject(shopsProject, async (project) => {
    const { code, err } = await project.tenantry('bundle import shops/config --to packaging');
    expect(code).toBe(1);
    expect(err)
      .toBe(`error shops/config must be the folder of the project, or a bundle, got its config/ (project)

1 problem; packaging is as it was
`);
  }),
);

testProject(
  'if part of a project cannot be read, nothing is written',
  inProject(
    { ...shopsProject, 'shops/config/manager/kustomization.yaml': 'resources: [nowhere.yaml]\n' },
    async (project) => {
      const { code, err } = await project.tenantry('bundle import shops --to packaging');
      expect(code).toBe(1);
      expect(err).toMatch(
        /^error shops\/config\/manifests must be a kustomization that \w+ builds, got: .*nowhere\.yaml/,
      );
      expect(project.tree()).not.toHaveProperty(['packaging/']);
    },
  ),
);

test(
  'without kustomize and kubectl a project is refused with a link to the installation',
  inProject(shopsProject, async (project) => {
    const nowhere = { PATH: dirname(process.execPath) };
    expect(await project.tenantry('bundle import shops --to packaging', nowhere)).toMatchObject({
      code: 1,
      err: `error shops/config/manifests must be built by kustomize or kubectl, got neither on the PATH: install one of them, see https://kubectl.docs.kubernetes.io/installation/kustomize/ (kustomize)

1 problem; packaging is as it was
`,
    });
    expect(project.tree()).not.toHaveProperty(['packaging/']);
  }),
);

test(
  'an unreadable bundle is a user error, and nothing is written',
  inProject({ 'empty/.keep': '' }, async (project) => {
    const { code, err } = await project.tenantry('bundle import empty --to out');
    expect(code).toBe(1);
    expect(err).toContain('error empty must contain a ClusterServiceVersion, got none');
    expect(Object.keys(project.tree())).toEqual(['empty/', 'empty/.keep']);
  }),
);

test(
  'a folder without write permission is a user error, and nothing is left beside it',
  inProject({ ...inBundle(sample), file: '' }, async (project) => {
    const before = project.tree();
    for (const [to, message] of [
      ['file', "--to must be a folder that can be written, got 'file': "],
      ['file/x', "--to must be a folder that can be written, got 'file/x': "],
      ['', '--to must be a folder, got nothing'],
    ] as const) {
      const { code, err } = await project.tenantry(['bundle', 'import', 'redis', '--to', to]);
      expect([to, code]).toEqual([to, 1]);
      expect(err).toContain(`error ${message}`);
    }
    expect(project.tree()).toEqual(before);
  }),
);
