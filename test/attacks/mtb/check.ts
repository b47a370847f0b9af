import { expect } from '@jest/globals';
import type { Body, Reply } from '@tenantry/testing/controlplane/objects';
import type { World } from './world.ts';

export type Verdict = 'passes' | 'open';

/** A check of the Kubernetes multi-tenancy benchmarks, made as the tenant's own user. */
export interface Check {
  /** The name, with its id if it has one: 'MTB-PL1-CC-DI-1 Require always imagePullPolicy'. */
  readonly name: string;
  /** Throws if something other than the subject of the check interferes. */
  readonly ask: (world: World) => Promise<Verdict>;
}

/** A pod that every class accepts. */
export function podIn(
  { tenant }: World,
  { spec = {}, container = {}, security = {} }: Readonly<Record<string, object>> = {},
): Body {
  const securityContext = {
    allowPrivilegeEscalation: false,
    capabilities: { drop: ['ALL'] },
    runAsNonRoot: true,
    seccompProfile: { type: 'RuntimeDefault' },
    ...security,
  };
  const shop = { name: 'shop', image: 'example.com/shop:1', imagePullPolicy: 'Always' };
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'shop', namespace: tenant.namespace },
    spec: { ...spec, containers: [{ ...shop, securityContext, ...container }] },
  };
}

/** Tries to create the object in a dry run: it is accepted, or refused with this message. */
export async function attempt({ alice }: World, object: Body, message: string): Promise<Verdict> {
  return verdictOn(await alice.create(object, { dryRun: true }), message);
}

export function verdictOn(reply: Reply, message: string): Verdict {
  if (reply.status < 300) return 'open';
  expect(reply).toMatchObject({
    status: 403,
    body: { reason: 'Forbidden', message: expect.stringContaining(message) },
  });
  return 'passes';
}

/** Passes if all of them do. */
export async function all(verdicts: readonly Promise<Verdict>[]): Promise<Verdict> {
  return (await Promise.all(verdicts)).includes('open') ? 'open' : 'passes';
}
