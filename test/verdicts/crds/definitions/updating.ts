import { isDeepStrictEqual } from 'node:util';
import type { Client } from '@tenantry/testing/controlplane/client';
import type { Body } from '@tenantry/testing/controlplane/objects';
import { uniqueName } from '@tenantry/testing/test/controlplane/unique-name';
import { until } from '@tenantry/testing/waiting/until';
import { askServerOfUpdate, type ServerVerdict } from './server.ts';
import { manifestOf, storedManifest, type Stored, type UpdateCase } from './updates.ts';

/** Creates the stored definitions, each in a group of its own, and sends their replacements. */
export async function serverUpdates(
  client: Client,
  cases: readonly UpdateCase[],
): Promise<ServerVerdict[]> {
  const groups = new Map<Stored, string>();
  for (const stored of new Set(cases.map((one) => one.stored))) {
    groups.set(stored, await made(client, stored));
  }
  const verdicts: ServerVerdict[] = [];
  for (const { title, stored, changes } of cases) {
    const group = groups.get(stored)!;
    // A change conflicts while the API server still writes the definition's status.
    const verdict = await until(`${title} is answered`, async () => {
      const resourceVersion = (await now(client, group)).metadata?.['resourceVersion'];
      const manifest = manifestOf(stored, group, {
        ...changes,
        'metadata.resourceVersion': resourceVersion,
      });
      return askServerOfUpdate(client, `things.${group}`, manifest);
    });
    verdicts.push(verdict);
  }
  return verdicts;
}

/** Stores a definition, step by step, and returns its group. */
async function made(client: Client, stored: Stored): Promise<string> {
  const group = `${uniqueName('update')}.example.com`;
  for (const [i] of stored.steps.entries()) {
    const steps = stored.steps.slice(0, i + 1);
    const manifest = manifestOf({ ...stored, steps }, group) as unknown as Body;
    await until(`step ${i} is stored`, async () => {
      const resourceVersion = i > 0 && (await now(client, group)).metadata?.['resourceVersion'];
      const metadata = { ...manifest.metadata, ...(resourceVersion && { resourceVersion }) };
      const body = { ...manifest, metadata } as Body;
      const { status } = await (i > 0 ? client.replace(body) : client.create(body));
      return status < 300;
    });
    await until(`${group} is served or not`, async () => {
      return isEstablished(await now(client, group)) === stored.established;
    });
  }
  const expected = stateOf(storedManifest(stored, group) as unknown as Body);
  await until(`${group} is stored as declared`, async () => {
    return isDeepStrictEqual(stateOf(await now(client, group)), expected);
  });
  return group;
}

/** Returns the state on which the verdict about a change depends. */
function stateOf({ spec, status }: Body): unknown {
  const { storedVersions } = status as { readonly storedVersions?: unknown };
  // Results of structuredClone belong to another realm in jest.
  return JSON.parse(JSON.stringify({ spec, storedVersions }));
}

async function now(client: Client, group: string): Promise<Body> {
  const apiVersion = 'apiextensions.k8s.io/v1';
  const kind = 'CustomResourceDefinition';
  return (await client.get({ apiVersion, kind, name: `things.${group}` })).body;
}

function isEstablished({ status }: Body): boolean {
  const { conditions = [] } = (status ?? {}) as { readonly conditions?: readonly Condition[] };
  return conditions.some(({ type, status }) => type === 'Established' && status === 'True');
}

interface Condition {
  readonly type: string;
  readonly status: string;
}
