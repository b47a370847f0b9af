import { expect } from '@jest/globals';
import {
  newNamespace,
  sharedCluster,
  uniqueName,
} from '@tenantry/testing/test/controlplane/shared';
import { inProject, type Project } from '../cli/project.ts';
import { apply, mayDo, person } from './tenant.ts';
import { until } from '@tenantry/testing/waiting/until';

const given = await sharedCluster();
const { test } = given;

const RBAC = 'rbac.authorization.k8s.io';

/** Runs a test with an empty project. */
const withProject = (body: (project: Project) => Promise<void>): (() => Promise<void>) =>
  inProject({}, body) as () => Promise<void>;

test(
  'the command answers from a cluster with the right to list roles and bindings, and prints the role that it needs',
  withProject(async (project) => {
    const { cluster } = given;
    const namespace = await newNamespace(cluster, 'asked');
    const [alice, auditor] = [person('alice'), person('auditor')];
    const missing = uniqueName('missing');
    const bind = (name: string, user: string, role: object) => ({
      apiVersion: `${RBAC}/v1`,
      kind: 'RoleBinding',
      metadata: { name, namespace },
      roleRef: { apiGroup: RBAC, ...role },
      subjects: [{ apiGroup: RBAC, kind: 'User', name: user }],
    });
    const rules = [
      { apiGroups: [''], resources: ['secrets'], verbs: ['get'], resourceNames: ['db'] },
    ];
    await apply(cluster, [
      { apiVersion: `${RBAC}/v1`, kind: 'Role', metadata: { name: 'reader', namespace }, rules },
      bind('reader', alice, { kind: 'Role', name: 'reader' }),
      bind('missing', alice, { kind: 'ClusterRole', name: missing }),
    ]);
    const kubeconfig = cluster.kubeconfigFile(
      `${uniqueName('auditor')}.yaml`,
      cluster.user(auditor),
    );
    const live = ['--from-cluster', '--kubeconfig', kubeconfig];
    const can = (...words: readonly string[]) =>
      project.tenantry(['access', 'can', alice, ...words, '-n', namespace, ...live]);
    const refused = await can('get', 'secrets');
    expect(refused.code).toBe(1);
    expect(refused.err).toContain('you must be allowed to list, in all namespaces: roles.rbac');
    const policyResources = ['roles', 'clusterroles', 'rolebindings', 'clusterrolebindings'];
    const role = {
      apiVersion: `${RBAC}/v1`,
      kind: 'ClusterRole',
      metadata: { name: uniqueName('tenantry-access') },
      rules: [
        { apiGroups: [RBAC], resources: policyResources, verbs: ['list'] },
        { apiGroups: [''], resources: ['namespaces'], verbs: ['list'] },
      ],
    };
    const { name } = role.metadata;
    const granted = {
      ...bind(name, auditor, { kind: 'ClusterRole', name }),
      kind: 'ClusterRoleBinding',
      metadata: { name },
    };
    await apply(cluster, [role, granted]);
    await until('the auditor may list roles', () =>
      mayDo(cluster.user(auditor), 'list', `roles.${RBAC}`),
    );
    expect(await can('get', 'secrets', '--name', 'db')).toMatchObject({
      code: 0,
      out: expect.stringContaining(`  binding   RoleBinding ${namespace}/reader\n`),
    });
    // What does not exist grants nothing, so nothing is unknown.
    const no = await can('get', 'secrets');
    expect(no).toMatchObject({ code: 1, out: expect.stringMatching(/^no: User alice/) });
    expect(no.err).toContain('objects of these names are allowed, see --name: db');
    const who = ['access', 'who-can', 'get', 'secrets', '--name', 'db', '-n', namespace, ...live];
    const { out } = await project.tenantry(who);
    expect(out).toContain(`User ${alice}`);
    expect(out).not.toContain('system:masters');
    expect((await project.tenantry([...who, '--all'])).out).toContain('Group system:masters');
  }),
);
