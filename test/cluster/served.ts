import type { Client } from '@tenantry/testing/controlplane/client';
import type { Body } from '@tenantry/testing/controlplane/objects';

/** The resources that an API server serves, by group: plurals, and `pods/log` for subresources. */
export type Served = ReadonlyMap<string, ReadonlySet<string>>;

/** Reads the served resources from the API server, for all versions of a group together. */
export async function servedBy(client: Client): Promise<Served> {
  const groups = (await get(client, '/apis'))['groups'] as {
    readonly name: string;
    readonly versions: readonly { readonly groupVersion: string }[];
  }[];
  const served = new Map([['', await resourcesAt(client, '/api/v1')]]);
  for (const { name, versions } of groups) {
    const all = await Promise.all(
      versions.map(({ groupVersion }) => resourcesAt(client, `/apis/${groupVersion}`)),
    );
    served.set(name, new Set(all.flatMap((resources) => [...resources])));
  }
  return served;
}

async function resourcesAt(client: Client, path: string): Promise<ReadonlySet<string>> {
  const { resources } = (await get(client, path)) as { resources?: { name: string }[] };
  return new Set((resources ?? []).map(({ name }) => name));
}

async function get(client: Client, path: string): Promise<Body> {
  return (await client.request({ method: 'GET', path })).body;
}
