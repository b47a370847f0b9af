import { expect, test } from '@jest/globals';
import { formatFlag, settingNames, formatVariable } from '../../operator/settings/settings.ts';
import { inProject } from './project.ts';

const platform = (spec: object): string =>
  JSON.stringify({
    apiVersion: 'tenantry.dev/v1alpha1',
    kind: 'Platform',
    metadata: { name: 'platform' },
    spec,
  });
const files = { 'tenantry.yaml': platform({ clusters: [{ name: 'eu1' }, { name: 'us1' }] }) };
const noCluster = { KUBECONFIG: 'none.yaml' };

test(
  'the help lists every setting with its variable',
  inProject({}, async (project) => {
    const { code, out } = await project.tenantry('serve --help');
    expect(code).toBe(0);
    const flat = out.replaceAll(/\s+/g, ' ');
    for (const name of settingNames) {
      expect(flat).toContain(`--${formatFlag(name)} <`);
      expect(flat).toContain(`${formatVariable(name)})`);
    }
  }),
);

test(
  'all mistakes in the settings and the Platform are reported at once, before any request',
  inProject({ ...files, 'operator.yaml': 'concurency: 2\n' }, async (project) => {
    const args = 'serve --config operator.yaml --cluster eu --graceful-stop never';
    const environment = { ...noCluster, TENANTRY_LOG_LEVEL: 'loud' };
    const { code, out, err } = await project.tenantry(args, environment);
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err.trim().split('\n').toSorted()).toEqual([
      "error --cluster must be one of the Platform's clusters (eu1, us1), got 'eu'; did you mean 'eu1'? (setting)",
      "error --graceful-stop must be a duration from 1s to 10m, such as 30s or 1h30m, got 'never' (setting)",
      "error TENANTRY_LOG_LEVEL must be one of debug, info, warn, error, got 'loud' (setting)",
      "error operator.yaml:1:1 concurency must be a setting; did you mean 'concurrency'? (setting)",
    ]);
  }),
);

test(
  'an unreadable Platform ends it with the place, and so does a missing one',
  inProject(
    { 'tenantry.yaml': platform({ clusters: [{ name: 'Not A Name' }] }) },
    async (project) => {
      const wrong = await project.tenantry('serve', noCluster);
      expect(wrong.code).toBe(1);
      expect(wrong.err).toMatch(/^error tenantry\.yaml:1:\d+ spec\.clusters\[0\]\.name must be /);
      const none = await project.tenantry('serve --platform gone.yaml', noCluster);
      expect(none).toMatchObject({
        code: 1,
        err: 'error gone.yaml must be a file with a Platform, got nothing (file)\n',
      });
    },
  ),
);

test(
  'without a cluster it ends and names the cause',
  inProject(files, async (project) => {
    const { code, err } = await project.tenantry('serve --cluster eu1', noCluster);
    expect(code).toBe(1);
    expect(err).toMatch(
      /^error \S*none\.yaml must be a kubeconfig, got no such file \(kubeconfig\)\n$/,
    );
    const other = await project.tenantry('operator walk', noCluster);
    expect(other.code).toBe(1);
    expect(other.err).toContain("unknown command 'walk'");
  }),
);
