import { expect, test } from '@jest/globals';
import { inProject, tenant as tenantFile } from '../cli/project.ts';
import { platform, tenant, tenantClass, withFleet } from './fleet.ts';

test('the built-in app renders the same as an app in TypeScript without additions', () => {
  const clusters = [
    { name: 'eu1', server: 'https://eu1.example.com', kubernetesVersion: '1.36' },
    { name: 'us1', server: 'https://us1.example.com' },
  ];
  const start = {
    'tenantry.yaml': platform({
      clusters,
      operator: { namespace: 'ops' },
      argocd: { source: { repoURL: 'https://git.example.com/platform/tenants.git' } },
      defaultClusters: ['us1'],
    }),
    'tenants/classes/gold.yaml': tenantClass('gold'),
    'tenants/a.yaml': tenant('a', { className: 'gold' }),
  };
  withFleet(start, (fleet) => {
    const inApp = fleet.render({ out: 'typed', add: () => {} });
    const builtin = fleet.render({ out: 'builtin' });
    expect(builtin.problems).toEqual([]);
    expect(fleet.files('builtin')).toEqual(fleet.files('typed'));
    expect(fleet.files('builtin')['clusters/eu1/operator/operator.yaml']).toContain('name: ops');
    expect(fleet.files('builtin')['argocd/clusters/us1/tenants.yaml']).toContain('name: us1.{{');
    expect(builtin.summary).toEqual(inApp.summary);
    expect(builtin.summary?.objects).toBeGreaterThan(60);
  });
});

const loaderHook = `
import { registerHooks } from 'node:module';
registerHooks({
  resolve(specifier, context, next) {
    if (/^(?:cdk8s|constructs)$/.test(specifier)) console.error('loads ' + specifier);
    return next(specifier, context);
  },
});`;

test(
  'tenantry loads no cdk8s, which is slower than a small fleet, unless constructs are used',
  inProject({ 'tenants/a.yaml': tenantFile('a') }, async (project) => {
    const hooks = {
      NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(loaderHook)}`,
    };
    for (const command of ['synth', 'check']) {
      const ended = await project.spawnTenantry([command, '--quiet'], hooks);
      expect(ended).toEqual({ code: 0, out: '', err: '' });
    }
    project.write({ 'app.ts': "import 'cdk8s';" });
    const { err } = await project.run(process.execPath, ['app.ts'], hooks);
    expect(err).toContain('loads cdk8s');
  }),
);
