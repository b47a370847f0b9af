import { renameSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { importCdk8s, type Project } from '../cli/project.ts';
import { withGeneratedLine } from '../../synth/output/generated-line.ts';
import type { Texts } from '../synth/output/folders.ts';
import { commits } from './commit.ts';

const binding = JSON.stringify({
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind: 'ClusterRoleBinding',
  metadata: { name: 'mallory' },
  roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cluster-admin' },
  subjects: [{ kind: 'User', apiGroup: 'rbac.authorization.k8s.io', name: 'mallory' }],
});
const tenants = 'dist/clusters/in-cluster/tenants';
const payments = `${tenants}/payments/tenant.yaml`;
/** A forged manifest with the generated line, for a path below `dist/`. */
const forged = (path: string) => withGeneratedLine(path.replace(/^dist\//, ''), `${binding}\n`);
const area = '.dist.tenantry';
/** What `check` reports, and `synth`. */
const IN_THE_WAY =
  /foreign file in the way {2}dist.clusters\S+.payments.tenant\.yaml|got a file of someone else: clusters\S+.payments.tenant\.yaml/;

const files = (texts: Texts) => (project: Project) => project.write(texts);
const link = (target: string, path: string) => (project: Project) =>
  symlinkSync(target, join(project.folder, path));
/** Replaces a file with a link to the place to which the file is moved. */
const moved = (path: string, to: string, target: string) => (project: Project) => {
  renameSync(join(project.folder, path), join(project.folder, to));
  symlinkSync(target, join(project.folder, path));
};
const notRendered = (...paths: string[]) => paths.map((path) => `not rendered  ${path}`);

// kubectl apply -R and a recursive Application apply every manifest below their folder.
commits({
  'a manifest in the folder of a tenant': {
    put: files({ [`${tenants}/payments/zz.yaml`]: binding }),
    named: notRendered(`${tenants}/payments/zz.yaml`),
  },
  'a folder of a cluster, and one of a tenant': {
    put: files({
      'dist/clusters/new/tenants/x/x.json': binding,
      [`${tenants}/x/.hidden/x.yml`]: binding,
    }),
    named: notRendered(`${tenants}/x/.hidden/x.yml`, 'dist/clusters/new/tenants/x/x.json'),
  },
  'files by which Argo CD renders a folder otherwise': {
    put: files({
      'dist/clusters/kustomization.yaml': 'resources: []',
      [`${tenants}/.argocd-source.yaml`]: 'directory: {}',
      [`${tenants}/payments/Chart.yaml`]: 'name: x',
    }),
    named: notRendered(
      `${tenants}/.argocd-source.yaml`,
      `${tenants}/payments/Chart.yaml`,
      'dist/clusters/kustomization.yaml',
    ),
  },
  'a name that differs from a rendered one by case only': {
    put: files({ [`${tenants}/payments/Tenant.yaml`]: binding }),
    named: notRendered(`${tenants}/payments/Tenant.yaml`),
  },
  'a name that erases its line on a terminal': {
    put: files({ [`${tenants}/\u001b[2K\u009b1A\u202ex.yaml`]: binding }),
    named: notRendered(`${tenants}/\\u001b[2K\\u009b1A\\u202ex.yaml`),
  },
  'links to a file and to a folder elsewhere': {
    put: (project) => {
      project.write({ 'mine/x.yaml': binding });
      link('../../../../mine', `${tenants}/folder`)(project);
      link('../../../../../mine/x.yaml', `${tenants}/payments/file.yaml`)(project);
    },
    named: notRendered(`${tenants}/folder`, `${tenants}/payments/file.yaml`),
  },
  // Argo CD fetches submodules; a checkout without them has an empty folder.
  'a submodule': {
    put: async (project) => {
      const id = (await project.run('git', ['rev-parse', 'HEAD'])).out.trim();
      const url = 'https://git.example.com/mallory.git';
      project.write({ '.gitmodules': `[submodule "x"]\n\tpath = ${tenants}/x\n\turl = ${url}\n` });
      await project.git(`update-index --add --cacheinfo 160000,${id},${tenants}/x`);
      project.write({ [`${tenants}/x/.git`]: `gitdir: ${join(project.folder, '.git')}\n` });
    },
    named: notRendered(`${tenants}/x/`),
  },
  'a manifest with the generated line': {
    put: files({ [`${tenants}/zz.yaml`]: forged(`${tenants}/zz.yaml`) }),
    named: [`left over  ${tenants}/zz.yaml`],
    mended: true,
  },
  'a manifest with the generated line, in a folder that others use': {
    put: files({ 'dist/own/zz.yaml': forged('dist/own/zz.yaml') }),
    named: ['left over  dist/own/zz.yaml'],
    mended: true,
  },
  'a manifest with the generated line of another path': {
    put: files({ [`${tenants}/zz.yaml`]: forged(payments) }),
    named: notRendered(`${tenants}/zz.yaml`),
  },
  'a manifest behind the line of a rendered file': {
    put: files({ [payments]: forged(payments) }),
    named: [`differs  ${payments}`],
    mended: true,
  },
  'a manifest in the place of a rendered file': {
    put: files({ [payments]: binding }),
    refused: IN_THE_WAY,
  },
  'a link in place of a rendered file': {
    put: moved(payments, 'mine.yaml', '../../../../../mine.yaml'),
    refused: IN_THE_WAY,
  },
  'a link in place of a rendered folder': {
    put: moved(`${tenants}/payments`, 'mine', '../../../../mine'),
    refused: /must be a real folder, got a symbolic link on the way to .*payments\/tenant\.yaml/,
  },
  'a link in place of the output': {
    put: moved('dist', 'mine', 'mine'),
    refused: /the output \S+\/dist must be a folder, got a symbolic link/,
  },
  'the journal and the staged files of a killed run': {
    put: files({
      [`${area}/journal`]: `tenantry swap 1\nmove clusters/in-cluster/zz.yaml\nend\n`,
      [`${area}/tree/clusters/in-cluster/zz.yaml`]: binding,
    }),
    named: notRendered(`${area}/journal`, `${area}/tree`),
  },
  'a journal that leads out of the output': {
    put: files({ [`${area}/journal`]: `tenantry swap 1\nremove ../tenants/acme.yaml\nend\n` }),
    named: notRendered(`${area}/journal`),
  },
  'the lock of a writer that does not answer, and its staged files': {
    put: files({
      [`${area}/lock.elsewhere.1.1.1798000000000`]: '',
      [`${area}/swap.elsewhere.1.1.1798000000000/x`]: 'x',
    }),
    named: notRendered(
      `${area}/lock.elsewhere.1.1.1798000000000`,
      `${area}/swap.elsewhere.1.1.1798000000000`,
    ),
  },
  'a link in place of the staging area': {
    put: link('tenants', area),
    refused: /the staging area \S+ must be a folder, got a symbolic link: remove it/,
  },
  'a file in place of the staging area': {
    put: files({ [area]: '' }),
    refused: /the staging area \S+ must be a folder, got a file/,
  },
  'a manifest in the output of an app of stock cdk8s, one folder per chart': {
    put: async (project) => {
      rmSync(join(project.folder, 'dist'), { recursive: true });
      project.write({
        'cdk8s.yaml': 'app: node app.ts\n',
        'app.ts': `${importCdk8s('ApiObject, App, Chart, YamlOutputType')}
const app = new App({ yamlOutputType: YamlOutputType.FOLDER_PER_CHART_FILE_PER_RESOURCE });
new ApiObject(new Chart(app, 'shop'), 'x', { apiVersion: 'v1', kind: 'ConfigMap' });
app.synth();`,
      });
      await project.tenantry('synth');
      project.write({ 'dist/shop/zz.yaml': binding, 'dist/clusters/zz.yaml': binding });
    },
    named: notRendered('dist/clusters/zz.yaml', 'dist/shop/zz.yaml'),
  },
  'manifests of the platform beside the output, and notes at its top': {
    put: files({
      'manifests/clusters/in-cluster/binding.yaml': binding,
      'dist/notes.md': 'x',
      'dist/own/x.yaml': binding,
    }),
  },
});
