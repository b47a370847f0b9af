import { expect } from '@jest/globals';
import fc from 'fast-check';
import { anyCase, Fleets, type Case } from '../attacks/fuzz/case.ts';
import { Judge } from '../attacks/judge.ts';
import type { Body } from '@tenantry/testing/controlplane/objects';
import { sharedCluster, uniqueName } from '@tenantry/testing/test/controlplane/shared';
import { until } from '@tenantry/testing/waiting/until';
import { readDocuments } from '@tenantry/kube/yaml/read';

const given = await sharedCluster();
const { test } = given;

const isLong = process.env['TENANTRY_LONG'] === '1';
const seed = Number(process.env['FC_SEED'] ?? 20_260_101);
const rbac = 'rbac.authorization.k8s.io';

/** Repeats an attack with a user name that no other test of the run uses. */
function renamed({ world, written }: Case, name: string): Case {
  const texts = Object.entries(written);
  return {
    world,
    written: Object.fromEntries(
      texts.map(([path, text]) => [path, text.replaceAll('mallory', name)]),
    ),
  };
}

/** Returns what is rendered into the namespaces of accepted cases. */
function renderings(count: number): Body[][] {
  const fleets = new Fleets();
  const found: Body[][] = [];
  try {
    for (const one of fc.sample(anyCase, { numRuns: count * 10, seed })) {
      if (found.length === count) break;
      const name = uniqueName('mallory');
      const files = Object.entries(fleets.rendered(renamed(one, name)) ?? {});
      const mine = files.filter(([path]) =>
        path.startsWith(`clusters/eu1/tenants/${name}/namespace-`),
      );
      const documents = mine.flatMap(([, text]) => readDocuments(text).documents);
      if (documents.length > 0) found.push(documents.map(({ value }) => value as Body));
    }
    return found;
  } finally {
    fleets.remove();
  }
}

interface Subject {
  readonly kind: string;
  readonly name: string;
  readonly namespace?: string;
}

/** Returns the user and groups that the authorizer knows a subject by. */
function identity({ kind, name, namespace }: Subject): object {
  const everyone = ['system:authenticated'];
  if (kind === 'Group') return { user: 'somebody', groups: [name, ...everyone] };
  if (kind === 'User') return { user: name, groups: everyone };
  const groups = ['system:serviceaccounts', `system:serviceaccounts:${namespace}`, ...everyone];
  return { user: `system:serviceaccount:${namespace}:${name}`, groups };
}

async function mayDo(subject: Subject, question: string, namespace?: string): Promise<boolean> {
  const [verb, resource, group = ''] = question.split(' ');
  const resourceAttributes = { verb, resource, group, ...(namespace && { namespace }) };
  const spec = { ...identity(subject), resourceAttributes };
  const review = { apiVersion: 'authorization.k8s.io/v1', kind: 'SubjectAccessReview', spec };
  const { body } = await given.cluster.admin.create(review);
  return (body.status as { allowed: boolean }).allowed;
}

/** Rights that no user of a tenant has outside its namespaces. */
const elsewhere = [
  'get secrets',
  'list pods',
  'create pods',
  'patch namespaces',
  'get configmaps',
  '* *',
  'impersonate users',
  'create serviceaccounts',
  `create rolebindings ${rbac}`,
  `bind clusterroles ${rbac}`,
  'get nodes',
  'delete networkpolicies networking.k8s.io',
];
/** Rights that no user of a tenant has in its own namespaces. */
const athome = [
  'patch namespaces',
  'delete namespaces',
  'update resourcequotas',
  'delete limitranges',
  '* *',
  `bind clusterroles ${rbac}`,
  `escalate roles ${rbac}`,
  'update endpoints',
];

const subjectsOf = (objects: readonly Body[]): Subject[] => {
  const all = objects
    .filter(({ kind, apiVersion }) => kind === 'RoleBinding' && apiVersion === `${rbac}/v1`)
    .flatMap((one) => (one['subjects'] ?? []) as Subject[]);
  return [...new Map(all.map((one) => [JSON.stringify(one), one])).values()];
};

test('the API server grants no subject of an attack a right elsewhere, or a right over the tenant’s limits', async () => {
  const cases = renderings(isLong ? 150 : 5);
  const { admin } = given.cluster;
  const refused: string[] = [];
  for (const object of cases.flat()) {
    const options = { fieldManager: 'platform', force: true } as const;
    const { status, body } = await admin.apply(object, options);
    // This server does not serve third-party kinds.
    if (status >= 300 && !isForeign(object))
      refused.push(`${object.kind} ${object.metadata?.name}: ${body.message}`);
  }
  // An object that renders and is refused grants no right. It is reported, since it would block the sync of Argo CD.
  if (refused.length > 0) console.log(`refused by the API server:\n${refused.join('\n')}`);
  await lastBindingCounts(cases);
  const rights: string[] = [];
  for (const objects of cases) {
    const home = objects.find(({ kind }) => kind === 'Namespace')!.metadata!.name!;
    for (const subject of subjectsOf(objects)) {
      const who = `${subject.kind} ${subject.namespace ?? ''}/${subject.name}`;
      for (const question of elsewhere)
        for (const place of [undefined, 'kube-system', 'default'])
          if (await mayDo(subject, question, place)) rights.push(`${who}: ${question} in ${place}`);
      for (const question of athome)
        if (await mayDo(subject, question, home)) rights.push(`${who}: ${question} at home`);
    }
  }
  expect(rights).toEqual([]);
}, 1_200_000);

const isForeign = ({ apiVersion }: Body): boolean =>
  /cert-manager|example\.com|projectcalico|argoproj/.test(apiVersion ?? '');

/** Waits until the last binding is in force: the authorizer learns of bindings in the order of their creation. */
async function lastBindingCounts(cases: readonly Body[][]): Promise<void> {
  const last = cases.findLast((objects) => subjectsOf(objects).length > 0 && viewer(objects));
  if (!last) return;
  const home = last.find(({ kind }) => kind === 'Namespace')!.metadata!.name!;
  await until('the last binding counts', () => mayDo(viewer(last)!, 'list pods', home));
}

/** Returns a subject that may read the pods. */
function viewer(objects: readonly Body[]): Subject | undefined {
  const role = (one: Body): string => (one['roleRef'] as { name?: string } | undefined)?.name ?? '';
  const binding = objects.find(
    (one) => one.kind === 'RoleBinding' && /^(view|edit|admin)$/.test(role(one)),
  );
  return (binding?.['subjects'] as Subject[] | undefined)?.[0];
}

type Rule = Readonly<Record<'apiGroups' | 'resources' | 'verbs', readonly string[]>>;
const rightsOf = (rules: readonly Rule[]): string[] => {
  const parts = rules.flatMap(({ apiGroups, resources, verbs }) =>
    apiGroups.flatMap((group) =>
      resources.flatMap((resource) => verbs.map((verb) => `${verb} ${resource} ${group}`)),
    ),
  );
  return [...new Set(parts)].toSorted();
};

const judge = await Judge.ofFile();

test("the access check knows the rules of Kubernetes' user-facing roles", async () => {
  const { admin } = given.cluster;
  const version = (await admin.request({ method: 'GET', path: '/version' })).body['minor'];
  if (!judge || version !== '36') return;
  for (const [name, rules] of Object.entries(await judge.userFacing())) {
    const known = rightsOf(rules as Rule[]);
    const role = { apiVersion: `${rbac}/v1`, kind: 'ClusterRole', name };
    await until(`the role ${name} is aggregated`, async () => {
      const served = (await admin.get(role)).body['rules'] as Rule[] | null;
      return JSON.stringify(rightsOf(served ?? [])) === JSON.stringify(known);
    });
  }
});
