import { buildRequestPolicy } from '../../../model/operator/request-policy.ts';
import { AccessRequest } from '../../../operator/cluster/kinds.ts';
import {
  ValidatingAdmissionPolicy,
  ValidatingAdmissionPolicyBinding,
} from '@tenantry/runtime/kinds/admissionregistration';
import type { Written } from '@tenantry/runtime/kinds/kind';
import type { FaultyTenants } from '../faults/faulty-tenants.ts';

/** The request of the tests. */
export const at = { name: 'incident', namespace: 'acme' };

/** Installs the admission policy of requests, which the simulated API server does not evaluate. */
export function installPolicy({ api }: FaultyTenants): void {
  const objects = buildRequestPolicy();
  api.create(
    ValidatingAdmissionPolicy,
    objects['request-policy'] as Written<typeof ValidatingAdmissionPolicy>,
  );
  api.create(
    ValidatingAdmissionPolicyBinding,
    objects['request-policy-binding'] as Written<typeof ValidatingAdmissionPolicyBinding>,
  );
}

/** Lets alice request access for an hour. */
export function createRequest({ api }: FaultyTenants, spec: object = {}): void {
  api.create(AccessRequest, {
    metadata: at,
    spec: { user: 'alice', clusterRole: 'admin', hours: 1, reason: 'down', ...spec },
  } as Written<typeof AccessRequest>);
}
