import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readLoosely } from '@tenantry/kube/yaml/read';
import { crd } from '@tenantry/olm/test/sample';
import { place } from '../synth/output/folders.ts';
import { readPages } from './pages.ts';
import { Shell, shownCommands, type ShownCommands } from './shell.ts';

/** Pages whose commands other tests run, or that are about operators and their bundles. */
const elsewhere: ReadonlyMap<string, string> = new Map([
  ['README.md', 'test/docs/new-project.test.ts'],
  ['docs/getting-started.md', 'test/docs/getting-started.test.ts'],
  ['docs/typescript.md', 'test/typescript/new-repository.test.ts, works-with.test.ts'],
  ['docs/review.md', 'test/docs/new-review.test.ts'],
  ['docs/bundles.md', 'test/docs/bundle-pages.test.ts'],
  ['docs/package-your-operator.md', 'test/docs/bundle-pages.test.ts, test/cluster/'],
]);

/** Pages with files of their own: test/docs/coming-from.test.ts */
const comingFrom = join('docs', 'coming-from');

/** Commands that need more than a repository, with what runs them. */
const needsMore: readonly (readonly [RegExp, string])[] = [
  [/^npx tenantry promote/, 'test/docs/pipelines.test.ts'],
  [/^npx tenantry import --from-cluster/, 'test/cluster/import-live.test.ts: it needs a cluster'],
  [/^tenantry serve/, 'test/cluster/: it runs until somebody stops it'],
  [/^tenantry crd import (https|cluster)/, 'test/cli/crd-import.test.ts: they need a server'],
];

/** The commands of pages that call Tenantry, without those that need more. */
const blocks = readPages()
  .filter(({ path }) => !elsewhere.has(path) && !path.startsWith(comingFrom))
  .flatMap(shownCommands)
  .map((block) => ({ ...block, commands: withoutNeeds(block) }))
  .filter(({ commands }) => /(^|\s)tenantry /m.test(commands));

function withoutNeeds({ commands }: ShownCommands): string {
  const lines = commands.split('\n');
  return lines.filter((line) => !needsMore.some(([begin]) => begin.test(line))).join('\n');
}

const folder = mkdtempSync(join(tmpdir(), 'tenantry-commands-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Stand-ins for programs that print definitions or apply what they read. */
const shell = new Shell(folder, {
  npx: 'shift\nexec tenantry "$@"\n',
  helm: '[ "$1" = template ] && cat "$HOME/crds.yaml"\n',
  kubectl: 'case "$1" in get) cat "$HOME/crds.yaml" ;; *) cat > /dev/null ;; esac\n',
});

/** A namespace, and what an import accepts on the page. */
const namespace = `apiVersion: v1
kind: Namespace
metadata: { name: shop-dev, annotations: { example.com/application: shop } }
`;
const accepted = `apiVersion: v1
kind: Secret
metadata: { name: db, namespace: shop-dev }
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: { name: reader }
rules: []
`;

/** A repository of `tenantry init`, with the other files that the pages name, after its first push. */
const begin = `git init --quiet --initial-branch main beginning/repository
cd beginning/repository
cp "$HOME/crds.yaml" old.yaml
cp "$HOME/crds.yaml" new.yaml
cp "$HOME/crds.yaml" crds.yaml
mkdir -p config/crd/bases platform manifests exported
cp "$HOME/namespace.yaml" manifests/
cp "$HOME/namespace.yaml" "$HOME/more.yaml" exported/
echo 'tenants: { shop: [shop-dev] }' > map.yaml
cp "$HOME/crds.yaml" config/crd/bases/
cp "$HOME/more.json" more.json
tenantry init --quiet --yes --cluster eu1 --repository https://git.example.com/platform/tenants.git
tenantry synth --quiet
tenantry argocd rbac --cluster eu1 --to platform/argocd-eu1.yaml
tenantry crd import config/crd/bases --quiet
git add .
git commit --quiet -m first
git clone --quiet --bare . ../origin.git
git remote add origin ../origin.git
git fetch --quiet origin
`;

const environment = {
  HOME: folder,
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_AUTHOR_NAME: 't',
  GIT_AUTHOR_EMAIL: 't@example.com',
  GIT_COMMITTER_NAME: 't',
  GIT_COMMITTER_EMAIL: 't@example.com',
};

beforeAll(async () => {
  // The definition of another group.
  const more = readLoosely(crd.replaceAll('example.com', 'example.org')).documents[0]?.value;
  place(folder, {
    'namespace.yaml': namespace,
    'more.yaml': accepted,
    'crds.yaml': crd,
    'more.json': JSON.stringify(more),
  });
  const { code, err } = await shell.run(begin, environment);
  if (code !== 0) throw new Error(err);
});

test('the pages on tenants and definitions have commands', () => {
  expect(blocks.map(({ place: where }) => where.split(':')[0])).toEqual(
    expect.arrayContaining(['docs/argocd.md', 'docs/ci.md', 'docs/crds.md', 'docs/tenants.md']),
  );
});

test.each(blocks)('the commands at $place work in a new repository', async (block) => {
  const own = block.place.replaceAll(/\W/g, '-');
  cpSync(join(folder, 'beginning'), join(folder, own), { recursive: true });
  const { code, out, err } = await shell.run(
    `cd ${own}/repository\n${block.commands}`,
    environment,
  );
  expect({ code, shown: code === 0 ? '' : out + err }).toEqual({ code: 0, shown: '' });
});
