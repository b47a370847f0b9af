import {
  builtinNamespaced,
  builtinResources,
  builtinScope,
  isNonPersisted,
} from '@tenantry/kube/builtin-kinds';
import type { Client } from '@tenantry/testing/controlplane/client';
import { table } from '../table.ts';

interface Resource {
  readonly name: string;
  readonly kind: string;
  readonly namespaced: boolean;
  readonly verbs: readonly string[];
}

/** Every resource that the API server has of its own, with its group. */
async function served(client: Client): Promise<(Resource & { readonly group: string })[]> {
  const ask = async (path: string) => (await client.request({ method: 'GET', path })).body;
  const { groups } = (await ask('/apis')) as {
    groups: { name: string; versions: { groupVersion: string }[] }[];
  };
  const { items } = await ask('/apis/apiextensions.k8s.io/v1/customresourcedefinitions');
  const defined = new Set(items?.map(({ spec }) => spec?.['group']));
  const versions = groups
    .filter(({ name }) => !defined.has(name))
    .flatMap(({ name, versions }) =>
      versions.map(({ groupVersion }) => ({ group: name, path: `/apis/${groupVersion}` })),
    );
  const lists = [{ group: '', path: '/api/v1' }, ...versions].map(async ({ group, path }) => {
    const { resources } = (await ask(path)) as unknown as { resources: Resource[] };
    return resources
      .filter(({ name }) => !name.includes('/'))
      .map((resource) => ({ group, ...resource }));
  });
  return (await Promise.all(lists)).flat();
}

const named = `
  admissionregistration.k8s.io apiextensions.k8s.io apiregistration.k8s.io apps authentication.k8s.io
  authorization.k8s.io autoscaling batch certificates.k8s.io coordination.k8s.io discovery.k8s.io
  events.k8s.io flowcontrol.apiserver.k8s.io networking.k8s.io node.k8s.io policy
  rbac.authorization.k8s.io resource.k8s.io scheduling.k8s.io storage.k8s.io
`;

/** All groups of Kubernetes' own; '' is the core. */
const groups: readonly string[] = ['', ...named.trim().split(/\s+/)];

const EVERY = 'every group';

/** `Pod pods Namespaced`, or `Binding bindings Namespaced fleeting`: never there to be applied. */
function line({ kind, name, namespaced, verbs }: Resource): string {
  const isThere = verbs.includes('get') && verbs.includes('patch');
  return `${kind} ${name} ${namespaced ? 'Namespaced' : 'Cluster'}${isThere ? '' : ' fleeting'}`;
}

/** What we know of a kind that the API server serves, with the plural that it has there. */
function ourLine(group: string, theirs: string): string {
  const [kind = '', plural = ''] = theirs.split(' ');
  const scope = builtinScope(group, kind);
  const known = builtinResources(group)?.has(plural) ? plural : undefined;
  const namespaced = builtinNamespaced.get(`${group}/${kind}`);
  const fleeting = isNonPersisted(group, kind);
  const isOwn = scope === 'Namespaced' && !fleeting;
  return `${kind} ${isOwn ? namespaced : known} ${scope}${fleeting ? ' fleeting' : ''}`;
}

/** The kinds of Kubernetes' own: where they lie, their plurals, and whether they can be applied. */
export const kindTables = [
  table<string, readonly string[]>({
    topic: 'kube/kinds',
    cases: [EVERY, ...groups],
    describe: (group) => group || 'core',
    async ask(client, cases) {
      const byGroup = Map.groupBy(await served(client), ({ group }) => group);
      return cases.map((group) => {
        if (group === EVERY) return [...byGroup.keys()].map((one) => one || 'core').toSorted();
        return [...new Set((byGroup.get(group) ?? []).map(line))].toSorted();
      });
    },
    disagreement(group, server) {
      if (group === EVERY) {
        const strange = server.filter((one) => !groups.includes(one === 'core' ? '' : one));
        return strange.length > 0 ? { strange } : undefined;
      }
      const ours = server.map((theirs) => ourLine(group, theirs));
      return ours.join() === server.join() ? undefined : { ours, server };
    },
  }),
];
