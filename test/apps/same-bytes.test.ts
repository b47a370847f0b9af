import { expect, test } from '@jest/globals';
import { importCdk8s, importTenantry, inProject, tenant } from '../cli/project.ts';

const platform = `apiVersion: tenantry.dev/v1alpha1
kind: Platform
metadata: {name: p}
spec: {clusters: [{name: eu1}, {name: us1}]}
`;

const app = `${importTenantry('App, declareFleet, setOutputPath, Tenant')}${importCdk8s('ApiObject, Chart')}
const app = new App();
declareFleet(app);
new Tenant(app, 'typed', { namespaces: [{ name: 'typed-z' }, { name: 'typed-a' }] })
  .namespace('typed-a').node.addMetadata('x', 'y');
const chart = new Chart(app, 'own');
setOutputPath(chart, 'clusters/eu1/extra/own.yaml');
new ApiObject(chart, 'b', { kind: 'ConfigMap', apiVersion: 'v1', metadata: { name: 'z' }, data: { z: 'ä', a: 'z' } });
new ApiObject(chart, 'a', { kind: 'ConfigMap', apiVersion: 'v1', metadata: { name: 'a' } });
app.synth();
`;

const environments = [
  { TZ: 'UTC', LANG: 'C', LC_ALL: 'C' },
  { TZ: 'Pacific/Kiritimati', LANG: 'sv_SE.UTF-8', LC_ALL: 'sv_SE.UTF-8', CI: '1' },
  { TZ: 'America/St_Johns', LANG: 'tr_TR.UTF-8', CDK8S_DISABLE_SORT: '1', HOME: '/nowhere' },
];

test(
  'no folder, time zone, locale or variable changes a byte, and no time or random value is in one',
  inProject({ 'tenantry.yaml': platform, 'app.ts': app }, async (project) => {
    const keys = ['z', 'i', 'I', 'a'].map((key) => ({ key }));
    const names = ['ångström', 'zebra', 'Alpha', 'öl', 'alpha'];
    for (const [i, environment] of environments.entries()) {
      const [folder, out] = [`teams ${i}/tenants`, `out${i}/dist`];
      // The order in which files come to be is the order in which some file systems list them.
      const files = i === 1 ? names.toReversed() : names;
      for (const file of files) {
        const labels = { ö: undefined, z: 'z', i: 'i', I: 'I', a: 'a' };
        const clusters = ['us1', 'eu1'];
        const name = `t${names.indexOf(file)}`;
        project.write({ [`${folder}/${file}.yaml`]: tenant(name, { clusters, labels }) });
      }
      const klass = platform
        .replace('Platform', 'TenantClass')
        .replace(
          /name: p\}[^]*/,
          `name: default}\nspec: {allow: {labels: ${JSON.stringify(keys)}}}\n`,
        );
      project.write({
        'cdk8s.yaml': `app: node app.ts\n`,
        [`${folder}/classes/default.yaml`]: klass,
      });
      const words = ['synth', '--quiet', '--tenants', folder, '--out', out];
      expect(await project.tenantry(words, environment)).toEqual({ code: 0, out: '', err: '' });
    }
    const first = project.tree('out0/dist');
    expect(project.tree('out1/dist')).toEqual(first);
    expect(project.tree('out2/dist')).toEqual(first);
    expect(Object.keys(first)).toContain('clusters/us1/tenants/t4/namespace-t4.yaml');
    for (const written of Object.values(first)) {
      // Schemas show what a time looks like, which is the same in all of them.
      const text = written.replaceAll(/^ *example: "2026-01-31T12:00:00Z"\n/gm, '');
      expect(text).not.toMatch(/\b20\d\d-\d\d-\d\d|creationTimestamp: (?!$|\{)|\b[0-9a-f]{12,}\b/m);
      expect(text).not.toContain(project.folder);
    }
  }),
);
