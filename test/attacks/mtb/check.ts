import { expect } from '@jest/globals';
import type { Body, Reply } from '../../../testing/controlplane/objects.ts';
import type { World } from './world.ts';

export type Verdict = 'passes' | 'open';

/** A check of the Kubernetes multi-tenancy benchmarks, asked as the tenant's own user. */
export interface Check {
  /** With its id where it has one: 'MTB-PL1-CC-DI-1 Require always imagePullPolicy'. */
  readonly name: string;
  /** It throws where something else than what the check is about is in the way. */
  readonly ask: (world: World) => Promise<Verdict>;
}

/** A pod that every class lets in. */
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

/** Tries to create it, storing nothing: let in, or refused in these words. */
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

/** Passes when all of them do. */
export async function all(verdicts: readonly Promise<Verdict>[]): Promise<Verdict> {
  return (await Promise.all(verdicts)).includes('open') ? 'open' : 'passes';
}
