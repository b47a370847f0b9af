import { expect, test } from '@jest/globals';
import { inProject, tenant } from './project.ts';

const platform = JSON.stringify({
  apiVersion: 'tenantry.dev/v1alpha1',
  kind: 'Platform',
  metadata: { name: 'platform' },
  spec: { clusters: [{ name: 'eu1' }, { name: 'us1' }] },
});
const files = {
  'tenantry.yaml': platform,
  'tenants/shop.yaml': tenant('shop', {
    clusters: ['eu1', 'us1'],
    namespaces: [{ name: 'shop-dev' }, { name: 'shop-prod' }],
  }),
  'tenants/acme.yaml': tenant('acme', { clusters: ['eu1'], lifecycle: 'Suspended' }),
};

test(
  'the declared tenants are listed by name, with class, lifecycle, clusters and namespaces',
  inProject(files, async (project) => {
    const { code, out, err } = await project.tenantry('tenant list');
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out.split('\n')).toEqual([
      'NAME   CLASS   LIFECYCLE   CLUSTERS   NAMESPACES',
      'acme   -       Suspended   eu1        1',
      'shop   -       Active      eu1,us1    4',
      '',
      '2 tenants',
      '',
    ]);
    expect(Object.keys(project.tree())).not.toContain('dist/');
    const json = await project.tenantry('tenant list --output json');
    expect(JSON.parse(json.out)).toMatchObject({
      command: 'tenant list',
      outcome: 'done',
      tenants: [
        { name: 'acme', lifecycle: 'Suspended', clusters: [{ name: 'eu1', namespaces: ['acme'] }] },
        { name: 'shop', clusters: [{ name: 'eu1' }, { name: 'us1' }] },
      ],
    });
  }),
);

test(
  'a folder that was rendered is read as it is, and a fleet that cannot be rendered is refused',
  inProject(files, async (project) => {
    const listed = await project.tenantry('tenant list');
    await project.tenantry('synth');
    project.write({ 'tenants/acme.yaml': tenant('acme', { lifecycle: 'Asleep' }) });
    expect(await project.tenantry('tenant list --rendered dist')).toEqual(listed);
    const refused = await project.tenantry('tenant list');
    expect(refused).toMatchObject({ code: 1, out: '' });
    expect(refused.err).toContain('spec.lifecycle must be');
    const none = await project.tenantry('tenant list --rendered tenants --output json');
    expect(JSON.parse(none.out)).toMatchObject({ command: 'tenant list', outcome: 'refused' });
  }),
);
