import { expect } from '@jest/globals';
import { builtinNamespaced, builtinScope, isFleeting } from '../../kube/builtinkinds.ts';
import { sharedCluster } from '../control-plane/shared.ts';

const given = await sharedCluster();
const { test } = given;

interface Resource {
  readonly name: string;
  readonly kind: string;
  readonly namespaced: boolean;
  readonly verbs: readonly string[];
}

/** Every resource that the API server has of its own, with its group. */
async function served(): Promise<(Resource & { readonly group: string })[]> {
  const ask = async (path: string) =>
    (await given.cluster.admin.request({ method: 'GET', path })).body;
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

test('the kinds that can be applied are those that the API server lets one get and patch', async () => {
  const resources = await served();
  const theirs = resources.map(({ group, kind, namespaced, verbs }) => ({
    kind: `${group}/${kind}`,
    scope: namespaced ? 'Namespaced' : 'Cluster',
    isFleeting: !(verbs.includes('get') && verbs.includes('patch')),
  }));
  const ours = resources.map(({ group, kind }) => ({
    kind: `${group}/${kind}`,
    scope: builtinScope(group, kind),
    isFleeting: isFleeting(group, kind),
  }));
  expect(resources.length).toBeGreaterThan(60);
  expect(ours).toEqual(theirs);
});

test('a kind that lies in namespaces has the plural that the API server gives it', async () => {
  const resources = (await served()).filter(
    ({ group, kind }) => builtinNamespaced.get(`${group}/${kind}`) !== undefined,
  );
  const wrong = resources.filter(
    ({ group, kind, name }) => builtinNamespaced.get(`${group}/${kind}`) !== name,
  );
  expect(resources.length).toBeGreaterThan(30);
  expect(wrong).toEqual([]);
});
