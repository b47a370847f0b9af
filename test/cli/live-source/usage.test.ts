import { expect, test } from '@jest/globals';
import { inProject } from '../project.ts';

test.each([
  [
    'nothing',
    'import',
    'a source is missing: name files or folders, - for standard input, or --from-cluster',
  ],
  [
    'files and a cluster',
    'import in --from-cluster',
    "--from-cluster and files cannot be combined, got 'in'",
  ],
  [
    'options of a cluster with files',
    'import in --selector a=b --kinds ConfigMap --context c',
    '--context and --selector and --kinds must be given with --from-cluster',
  ],
  [
    'an option of files with a cluster',
    'import --from-cluster --keep-going',
    '--keep-going is for files, not for --from-cluster',
  ],
  [
    'a selector that is none',
    'import --from-cluster --selector a>b',
    "--selector: a label selector must be conditions such as 'app=shop', 'env in (dev,test)' or '!retired', with ',' between them, got 'a>b'",
  ],
  [
    'a cluster that is not there',
    'import --from-cluster --kubeconfig kubeconfig.json',
    'the cluster must be reachable, got no answer from http://127.0.0.1:1',
  ],
])('%s is a usage error, and nothing is written', (_, words, message) =>
  inProject({ 'kubeconfig.json': kubeconfig }, async (project) => {
    const { code, out, err } = await project.tenantry(words);
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toContain(`error ${message}`);
    expect(Object.keys(project.tree())).toEqual(['kubeconfig.json']);
  })(),
);

/** A cluster behind a port on which nobody listens. */
const kubeconfig = JSON.stringify({
  apiVersion: 'v1',
  kind: 'Config',
  'current-context': 'c',
  contexts: [{ name: 'c', context: { cluster: 'c', user: 'u' } }],
  clusters: [{ name: 'c', cluster: { server: 'http://127.0.0.1:1' } }],
  users: [{ name: 'u', user: {} }],
});
