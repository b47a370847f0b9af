import { isMapping, listAt } from '@tenantry/kube/mapping';
import type { Connection } from '@tenantry/runtime/connection/connection';
import { Transport } from '@tenantry/runtime/connection/transport';
import { Malformed } from '@tenantry/runtime/errors/client-errors';
import type { Kind } from '@tenantry/runtime/kinds/kind';

/** The kinds that a cluster serves. */
export interface ServedKinds {
  /** Each kind that can be listed, in the version that the API server prefers; sorted by group and kind. */
  readonly kinds: readonly Kind[];
  /** APIs whose kinds the API server does not know, because the server behind it does not answer: `metrics.k8s.io/v1`. */
  readonly unavailable: readonly string[];
}

/** The media types of a document with all kinds; the second one is that of Kubernetes before 1.30. */
const accept = ['v2', 'v2beta1']
  .map((version) => `application/json;g=apidiscovery.k8s.io;v=${version};as=APIGroupDiscoveryList`)
  .join(',');

/**
 * Requests which kinds a cluster serves, in two requests.
 * @throws {Malformed} if the server does not serve aggregated discovery, as Kubernetes does since 1.27
 */
export async function readServedKinds(connection: Connection): Promise<ServedKinds> {
  const transport = new Transport(connection);
  try {
    const answers = await Promise.all(
      ['/api', '/apis'].map(async (path): Promise<readonly unknown[]> => {
        const answer = await transport.call({ method: 'GET', path, accept });
        if (isMapping(answer) && answer['kind'] === 'APIGroupDiscoveryList') {
          return listAt(answer, ['items']);
        }
        throw new Malformed('an APIGroupDiscoveryList', { request: `GET ${path}` });
      }),
    );
    return parseServedKinds(answers.flat());
  } finally {
    transport.close();
  }
}

/** Parses the groups of an APIGroupDiscoveryList (apidiscovery.k8s.io). */
export function parseServedKinds(groups: readonly unknown[]): ServedKinds {
  const kinds = new Map<string, Kind>();
  const unavailable: string[] = [];
  for (const item of groups) {
    const metadata = isMapping(item) ? item['metadata'] : undefined;
    const group = isMapping(metadata) ? String(metadata['name'] ?? '') : '';
    for (const entry of listAt(item, ['versions'])) {
      if (!isMapping(entry)) continue;
      const version = String(entry['version']);
      if (entry['freshness'] === 'Stale') unavailable.push(`${group}/${version}`);
      for (const resource of listAt(entry, ['resources'])) {
        const kind = parseKind(resource, group, version);
        // The first version is the preferred one.
        if (kind && !kinds.has(kind.plural + group)) kinds.set(kind.plural + group, kind);
      }
    }
  }
  const sorted = [...kinds.values()].toSorted((a, b) =>
    `${a.group}/${a.kind}` < `${b.group}/${b.kind}` ? -1 : 1,
  );
  return { kinds: sorted, unavailable };
}

function parseKind(resource: unknown, group: string, version: string): Kind | undefined {
  if (!isMapping(resource) || !listAt(resource, ['verbs']).includes('list')) return undefined;
  const { resource: plural, scope, responseKind } = resource;
  const kind = isMapping(responseKind) ? responseKind['kind'] : undefined;
  if (typeof plural !== 'string' || typeof kind !== 'string') return undefined;
  return { group, version, kind, plural, scope: scope === 'Cluster' ? 'Cluster' : 'Namespaced' };
}
