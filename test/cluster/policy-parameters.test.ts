import { expect } from '@jest/globals';
import {
  newNamespace,
  sharedCluster,
  uniqueName,
} from '@tenantry/testing/test/controlplane/shared';
import { until } from '@tenantry/testing/waiting/until';

const given = await sharedCluster();
const { test } = given;

// docs/adr/0020 explains why our policies have no parameters. If this behavior changed, they could have some.
test('a policy with a missing parameter refuses everybody, including those whom its conditions exempt', async () => {
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
