import { expect, test } from '@jest/globals';
import { importCdk8s, inProject, tenant } from './project.ts';

const klass = (pods: number) =>
  `apiVersion: tenantry.dev/v1alpha1\nkind: TenantClass\nmetadata:\n  name: standard\nspec:\n  defaults:\n    quota: {hard: {pods: ${pods}}}\n`;

/** A stock cdk8s app that writes one file for each of its own files, side by side. */
const stock = `${importCdk8s('ApiObject, App, Chart')}
import { readdirSync } from 'node:fs';
const app = new App();
for (const name of readdirSync('maps').toSorted()) {
  const map = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } };
  new ApiObject(new Chart(app, name), 'map', map);
}
app.synth();
`;

const folders = {
  'a folder of tenants': {
    files: { 'tenants/a.yaml': tenant('a'), 'tenants/m.yaml': tenant('m') },
    one: { 'tenants/ma.yaml': tenant('ma') },
    two: { 'tenants/mb.yaml': tenant('mb'), 'tenants/z.yaml': tenant('z') },
    removed: 'tenants/m.yaml',
  },
  'an app of stock cdk8s': {
    files: { 'cdk8s.yaml': 'app: node app.ts\n', 'app.ts': stock, 'maps/a': '', 'maps/m': '' },
    one: { 'maps/ma': '' },
    two: { 'maps/mb': '', 'maps/z': '' },
    removed: 'maps/m',
  },
};

test.each(Object.entries(folders))(
  'branches of %s that add and remove neighbors merge and rebase without conflicts',
  (_, { files, one, two, removed }) =>
    inProject(files, async (project) => {
      await project.tenantry('synth');
      await project.commit();
      await project.git('branch two');
      await project.git('checkout -q -b one');
      project.write(one);
      await project.tenantry('synth');
      await project.commit();
      await project.git('checkout -q two');
      project.write(two);
      project.remove(removed);
      await project.tenantry('synth');
      await project.commit();
      for (const words of ['merge -q --no-edit one', 'rebase -q one']) {
        await project.git('checkout -q --detach two');
        await project.git(words);
        expect(await project.tenantry('check --quiet --base HEAD')).toEqual({
          code: 0,
          out: '',
          err: '',
        });
      }
    })(),
);

test(
  'after a merge of two changes to shared input, check names the file that is outdated',
  inProject(
    {
      'tenants/classes/standard.yaml': klass(10),
      'tenants/a.yaml': tenant('a', { className: 'standard' }),
    },
    async (project) => {
      await project.tenantry('synth');
      await project.commit();
      await project.git('branch two');
      project.write({ 'tenants/classes/standard.yaml': klass(20) });
      await project.tenantry('synth');
      await project.commit();
      await project.git('branch one');
      await project.git('checkout -q two');
      project.write({ 'tenants/b.yaml': tenant('b', { className: 'standard' }) });
      await project.tenantry('synth');
      await project.commit();
      await project.git('merge -q --no-edit one');
      const { code, err } = await project.tenantry('check --quiet');
      expect(code).toBe(1);
      expect(err.split('\n').filter((line) => line.startsWith('  '))).toEqual([
        '  differs  dist/clusters/in-cluster/tenants/b/namespace-b.yaml',
      ]);
    },
  ),
);
