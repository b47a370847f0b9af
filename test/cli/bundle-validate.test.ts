import { expect, test } from '@jest/globals';
import { sdkProject } from '@tenantry/olm/test/project/shops';
import { csv, sample } from '@tenantry/olm/test/sample';
import { inProject } from './project.ts';

const CSV = 'manifests/redis-operator.clusterserviceversion.yaml';

const inBundle = (files: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(files).map(([path, text]) => [`redis/${path}`, text]));

const typo = { ...sample, [CSV]: csv.replace('version: 1.2.3', 'miniKubeVersion: 1.28.0') };

test(
  'a misspelled field fails with file, line and column, and the nearest existing name',
  inProject(inBundle(typo), async (project) => {
    const { code, err } = await project.tenantry('bundle validate redis');
    expect(code).toBe(1);
    expect(err).toMatch(
      /^error redis\/manifests\/redis-operator\.clusterserviceversion\.yaml:\d+:\d+ spec\.miniKubeVersion .*did you mean 'minKubeVersion'\? \(unknown-field\)$/m,
    );
  }),
);

test(
  'the JSON output has the same findings, with the rule of each',
  inProject(inBundle(typo), async (project) => {
    const { code, out, err } = await project.tenantry('bundle validate redis --output json');
    expect([code, err]).toEqual([1, '']);
    const report = JSON.parse(out) as { problems: object[] };
    expect(report).toMatchObject({
      command: 'bundle validate',
      outcome: 'refused',
      suite: 'default',
      optional: [],
      bundles: 1,
    });
    expect(report.problems).toContainEqual(
      expect.objectContaining({ file: `redis/${CSV}`, path: 'spec.miniKubeVersion' }),
    );
  }),
);

test(
  'a folder without a bundle is a user error, reported for each source',
  inProject({ 'empty/.keep': '' }, async (project) => {
    const { code, err } = await project.tenantry('bundle validate nowhere empty');
    expect(code).toBe(1);
    expect(err).toContain(
      'error nowhere must be the folder of a bundle or an OCI image layout, got nothing',
    );
    expect(err).toContain('error empty must contain a ClusterServiceVersion, got none');
  }),
);

test(
  'for every command a project without a bundle is one problem, which points to bundle import',
  inProject(
    Object.fromEntries(Object.entries(sdkProject).map(([path, text]) => [`shops/${path}`, text])),
    async (project) => {
      const message =
        'error shops must be the folder of a bundle or an OCI image layout, got a project: make its bundle by tenantry bundle import';
      for (const words of [
        'validate shops',
        'preview shops',
        'submit shops --to all',
        'install-file shops',
        'run shops',
        'diff shops shops',
      ]) {
        const { code, err } = await project.tenantry(`bundle ${words}`);
        expect([words, code]).toEqual([words, 1]);
        expect(err.split('\n')[0]).toMatch(new RegExp(`^${message}(?: \\(bundle-folder\\))?$`));
        const others = err.split('\n').filter((line) => /^(?:error|warning) /.test(line));
        expect(new Set(others).size).toBe(1);
      }
      const { code } = await project.tenantry('bundle import shops --to packaging --quiet');
      expect(code).toBe(0);
    },
  ),
);

test(
  'an unknown name on the command line is reported with a suggestion',
  inProject({}, async (project) => {
    const suite = await project.tenantry('bundle validate a --suite operatorhubs');
    expect(suite.code).toBe(1);
    expect(suite.err).toContain('default, operatorhub, community, good-practices');
    const optional = await project.tenantry('bundle validate a --optional community-');
    expect(optional.code).toBe(1);
    expect(optional.err).toMatch(
      /^error --optional must be one of .*, got 'community-'; did you mean 'community'\?$/m,
    );
  }),
);

test(
  'help describes the command with examples and exit codes',
  inProject({}, async (project) => {
    const { code, out } = await project.tenantry('bundle validate --help');
    expect(code).toBe(0);
    for (const part of ['--suite', '--optional', '--strict', 'Examples:', 'Exit codes:']) {
      expect(out).toContain(part);
    }
    expect((await project.tenantry('bundle help validate')).out).toBe(out);
  }),
);
