import { expect } from '@jest/globals';
import { newNamespace, sharedCluster, uniqueName } from '../testing/controlplane/shared.ts';
import { until } from '../../testing/waiting/until.ts';

const given = await sharedCluster();
const { test } = given;

// Why our policies have no parameters, see docs/adr/0020: were this to change, they could.
test('a policy whose parameter is missing refuses everybody, whom its conditions let through too', async () => {
  const { admin } = given.cluster;
  const namespace = await newNamespace(given.cluster, 'parameters');
  const name = `${uniqueName('parameters')}.example.com`;
  const apiVersion = 'admissionregistration.k8s.io/v1';
  const policy = {
    apiVersion,
    kind: 'ValidatingAdmissionPolicy',
    metadata: { name },
    spec: {
      failurePolicy: 'Fail',
      paramKind: { apiVersion: 'v1', kind: 'ConfigMap' },
      matchConstraints: {
        namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': namespace } },
        resourceRules: [
          {
            apiGroups: [''],
            apiVersions: ['v1'],
            operations: ['CREATE'],
            resources: ['secrets'],
          },
        ],
      },
      matchConditions: [{ name: 'nobody', expression: 'false' }],
      validations: [{ expression: 'false' }],
    },
  };
  const binding = {
    apiVersion,
    kind: 'ValidatingAdmissionPolicyBinding',
    metadata: { name },
    spec: {
      policyName: name,
      paramRef: { name: 'gone', namespace, parameterNotFoundAction: 'Deny' },
      validationActions: ['Deny'],
    },
  };
  for (const object of [policy, binding]) expect((await admin.create(object)).status).toBe(201);
  const own = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'own', namespace } };
  const refused = await until('the policy is in force', async () => {
    const reply = await admin.create(own, { dryRun: true });
    return reply.status === 422 && reply.body.message;
  });
  expect(refused).toContain(
    'no params found for policy binding with `Deny` parameterNotFoundAction',
  );
});
