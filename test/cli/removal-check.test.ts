import { expect, test } from '@jest/globals';
import type { Base } from '../../cli/git/base.ts';
import { formatRemoval } from '../../cli/removals/outcomes.ts';
import { checkRemovals, combineRemovals } from '../../cli/removals/combine-removals.ts';
import type { Summary } from '../../synth/report.ts';
import { inProject, platform, tenant, type Project } from './project.ts';

const folder = 'dist/clusters/in-cluster/tenants';
const shop = (...names: string[]): string =>
  tenant('shop', { namespaces: names.map((name) => ({ name })) });

const files = {
  'tenants/acme.yaml': tenant('acme'),
  'tenants/shop.yaml': shop('shop-dev', 'shop-prod'),
};

/** Renders, so that only removals can be wrong, and checks. */
async function rendered(
  project: Project,
  words = '',
): Promise<{ code: number | null; err: string }> {
  const { code, err } = await project.tenantry('synth --quiet');
  expect({ code, err }).toEqual({ code: 0, err: '' });
  return project.tenantry(`check --quiet ${words}`);
}

test(
  'a tenant and a namespace may not disappear from the committed output, unless allowed by name',
  inProject(files, async (project) => {
    await project.tenantry('synth');
    await project.commit();
    project.remove('tenants/acme.yaml');
    project.write({ 'tenants/shop.yaml': shop('shop-dev', 'shop-live') });
    const { code, err } = await rendered(project);
    expect(code).toBe(1);
    expect(err.split('\n')).toEqual([
      `error ${folder}/acme/namespace-acme.yaml tenant acme must be Retired before it disappears, got Active in HEAD: set its lifecycle to Retired first, or allow it with --allow-removal acme (disappearance)`,
      `error ${folder}/shop/namespace-shop-prod.yaml namespace shop-prod of tenant shop on in-cluster must be Retired before it disappears, got Active in HEAD: set its lifecycle to Retired first, or allow it with --allow-removal shop/shop-prod (disappearance)`,
      '',
    ]);
    const json = await project.tenantry('check --output json');
    expect(JSON.parse(json.out)).toMatchObject({
      outcome: 'refused',
      files: { added: [], changed: [], removed: [] },
      problems: [{ rule: 'disappearance' }, { rule: 'disappearance' }],
    });
    const allowing = async (...names: string[]) =>
      (await project.tenantry(`check ${names.map((name) => `--allow-removal ${name}`).join(' ')}`))
        .code;
    expect(await allowing('acme')).toBe(1);
    expect(await allowing('acme', 'shop/shop-dev')).toBe(1);
    expect(await allowing('acme', 'shop/shop-prod')).toBe(0);
    expect(await allowing('acme', 'shop')).toBe(0);
    expect(await allowing('acme/acme', 'shop/shop-prod')).toBe(0);
  }),
);

test(
  'the base may be any revision, also of a project below the root of the repository',
  inProject({}, async (project) => {
    project.write({ 'tenants/acme.yaml': tenant('acme'), 'tenants/shop.yaml': tenant('shop') });
    const out = '--out deploy/out';
    await project.tenantry(`synth ${out}`);
    await project.commit();
    await project.git('tag before');
    project.remove('tenants/acme.yaml');
    await project.tenantry(`synth ${out}`);
    await project.commit();
    const checked = (words: string) => project.tenantry(`check --quiet ${out} ${words}`);
    expect((await checked('')).code).toBe(0);
    const { code, err } = await checked('--base before');
    expect(code).toBe(1);
    expect(err).toContain(
      'tenant acme must be Retired before it disappears, got Active in before:',
    );
    expect(await checked('--base HEAD~7')).toMatchObject({ code: 1 });
    project.remove('deploy');
    expect((await checked('--base before')).err).toContain('tenant acme must be Retired before');
  }),
);

test(
  'the repository of the output is used, from any working folder',
  inProject({}, async (project) => {
    project.write({ 'repo/tenants/acme.yaml': tenant('acme'), 'repo/tenants/b.yaml': tenant('b') });
    const where = '--tenants repo/tenants --out repo/dist';
    await project.tenantry(`synth ${where}`);
    await project.git('init -q repo');
    await project.git('-C repo add -A');
    await project.git('-C repo commit -q -m all');
    project.remove('repo/tenants/b.yaml');
    await project.tenantry(`synth ${where}`);
    const { code, err } = await project.tenantry(`check ${where}`);
    expect(code).toBe(1);
    expect(err).toContain('tenant b must be Retired before it disappears, got Active in HEAD:');
  }),
);

test(
  'a tenant that was committed as Retired may disappear',
  inProject(
    {
      'tenants/acme.yaml': tenant('acme', { lifecycle: 'Retired' }),
      'tenants/shop.yaml': tenant('shop', {
        namespacePrefix: 'shop-',
        namespaces: [{ name: 'dev' }, { name: 'prod', lifecycle: 'Retired' }],
      }),
    },
    async (project) => {
      await project.tenantry('synth');
      await project.commit();
      project.remove('tenants/acme.yaml');
      project.write({ 'tenants/shop.yaml': shop('shop-dev') });
      expect(await rendered(project)).toEqual({ code: 0, out: '', err: '' });
      project.remove('tenants/shop.yaml');
      const { code, err } = await rendered(project);
      expect(code).toBe(1);
      expect(err).toContain('shop/namespace-shop-dev.yaml tenant shop must be Retired');
    },
  ),
);

const clusters = [{ name: 'eu1', server: 'https://eu1.example.com' }];
const source = { repoURL: 'https://git.example.com/tenants.git' };

test(
  'check reports which namespaces stay after they leave Git, with the command that deletes them',
  inProject(
    {
      'tenantry.yaml': platform({ clusters, argocd: { source, namespace: 'gitops' } }),
      'tenants/old.yaml': tenant('old', {
        lifecycle: 'Retired',
        namespaces: [{ name: 'old-b' }, { name: 'old-a' }],
      }),
      'tenants/open.yaml': tenant('open', {
        lifecycle: 'Retired',
        protection: { deletion: 'None' },
      }),
      'tenants/shop.yaml': tenant('shop', {
        namespaces: [{ name: 'shop-dev', lifecycle: 'Retired' }, { name: 'shop-prod' }],
      }),
      'tenants/zoo.yaml': tenant('zoo'),
    },
    async (project) => {
      await project.tenantry('synth');
      await project.commit();
      project.remove('tenants/old.yaml', 'tenants/open.yaml', 'tenants/zoo.yaml');
      project.write({ 'tenants/shop.yaml': shop('shop-prod') });
      await project.tenantry('synth --quiet');
      const { out } = await project.tenantry('check --allow-removal zoo');
      const lines = out.split('\n').filter((line) => /^(?:Leaves Git| {2}kubectl)/.test(line));
      expect(lines).toEqual([
        "Leaves Git: namespaces old-a, old-b of tenant old on eu1; they stay until a person approves the deletion of the tenant's Application, with everything in them:",
        '  kubectl -n gitops annotate application eu1.old argocd.argoproj.io/deletion-approved="$(date -u +%Y-%m-%dT%H:%M:%SZ)"',
        'Leaves Git: namespace open of tenant open on eu1; Argo CD deletes it with everything in it, without confirmation.',
        'Leaves Git: namespace shop-dev of tenant shop on eu1; it stays without the access that Git granted. A person must delete it with everything in it:',
        '  kubectl delete namespace shop-dev',
        'Leaves Git: namespace zoo of tenant zoo on eu1; it stays without the access that Git granted. A person must delete it with everything in it:',
        '  kubectl delete namespace zoo',
      ]);
      const json = await project.tenantry('check --output json --allow-removal zoo');
      expect((JSON.parse(json.out) as { removals: unknown }).removals).toEqual([
        expect.objectContaining({
          tenant: 'old',
          namespaces: ['old-a', 'old-b'],
          outcome: 'AwaitsApproval',
        }),
        { cluster: 'eu1', tenant: 'open', namespaces: ['open'], outcome: 'Deleted' },
        expect.objectContaining({ namespaces: ['shop-dev'], outcome: 'Stays' }),
        expect.objectContaining({ namespaces: ['zoo'], outcome: 'Stays' }),
      ]);
    },
  ),
);

test(
  'if Tenantry renders no Applications, the command has placeholders',
  inProject(
    {
      'tenants/acme.yaml': tenant('acme', { lifecycle: 'Retired' }),
      'tenants/b.yaml': tenant('b'),
    },
    async (project) => {
      await project.tenantry('synth');
      await project.commit();
      project.remove('tenants/acme.yaml');
      await project.tenantry('synth --quiet');
      const { out } = await project.tenantry('check');
      expect(out).toContain(
        '  kubectl -n <namespace of Argo CD> annotate application <Application of clusters/in-cluster/tenants/acme> argocd.argoproj.io/deletion-approved=',
      );
    },
  ),
);

test(
  'without Git and before the first commit, nothing may disappear from the output on disk',
  inProject(files, async (project) => {
    await project.tenantry('synth');
    project.remove('tenants/acme.yaml');
    for (const git of [false, true]) {
      if (git) await project.git('init -q .');
      const { code, err } = await project.tenantry('check');
      expect(code).toBe(1);
      expect(err).toContain(`  left over  ${folder}/acme/tenant.yaml\n`);
      expect(err).toContain(
        'tenant acme must be Retired before it disappears, got Active in dist:',
      );
    }
    const { code, err } = await project.tenantry('check --base HEAD');
    expect({ code, err }).toEqual({
      code: 1,
      err: "error --base must be a revision of this Git repository, got 'HEAD'\n",
    });
  }),
);

/** The rendered output without tenants. */
const nothing: Summary = {
  objects: 0,
  files: [],
  holders: [],
  warnings: [],
  exemptions: [],
  changes: {
    written: [],
    added: [],
    changed: [],
    removed: [],
    unchanged: 0,
    foreign: [],
    unexpected: [],
    interrupted: false,
  },
};

test('objects from another version of the schema are read as far as possible', () => {
  const collectProblems = (spec: string): string[] => {
    const file = `clusters/eu/tenants/old/namespace-x-a.yaml`;
    const texts = [
      `apiVersion: v1\nkind: Namespace\nmetadata: {name: x-a, labels: {tenantry.dev/tenant: old}}\n`,
      `apiVersion: tenantry.dev/v1\nkind: Tenant\nmetadata: {name: old}\nspec: ${spec}\n`,
    ];
    const read = () => [[file, texts.join('---\n')] as const];
    const base = { name: 'HEAD', files: [file], changed: () => [file], read };
    return checkRemovals(base, nothing, []).problems.map(({ message }) =>
      message.slice(0, message.indexOf(':')),
    );
  };
  const refused = ['tenant old must be Retired before it disappears, got Active in HEAD'];
  expect(collectProblems('{gone: 1, lifecycle: Retired}')).toEqual([]);
  expect(
    collectProblems('{namespacePrefix: x-, namespaces: [7, {name: a, lifecycle: Retired}]}'),
  ).toEqual([]);
  for (const spec of ['7', '{lifecycle: 7, namespaces: {}}', '{namespacePrefix: 7}']) {
    expect(collectProblems(spec)).toEqual(refused);
  }
});

const namespaceOf = (whose: string, name: string, options: string) => ({
  apiVersion: 'v1',
  kind: 'Namespace',
  metadata: {
    name,
    labels: whose === '' ? {} : { 'tenantry.dev/tenant': whose },
    annotations: { 'argocd.argoproj.io/sync-options': options },
  },
});
const tenantOf = (name: string, lifecycle: string) => ({
  apiVersion: 'tenantry.dev/v1alpha1',
  kind: 'Tenant',
  metadata: { name },
  spec: { lifecycle },
});
const text = (...objects: object[]) => objects.map((one) => JSON.stringify(one)).join('\n---\n');

/** Returns a namespace whose deletion a person confirms, and its Retired Tenant. */
const retired = (
  cluster: string,
  whose: string,
  name = whose,
  options = 'Prune=confirm,Delete=confirm',
): [path: string, text: string] => [
  `clusters/${cluster}/tenants/x/${encodeURIComponent(whose + name)}.yaml`,
  text(namespaceOf(whose, name, options), tenantOf(whose, 'Retired')),
];

/** Returns a base with these changed files, and records the paths of each read. */
function baseOf(...files: (readonly [path: string, text: string])[]) {
  const texts = new Map(files);
  const reads: (readonly string[])[] = [];
  const base: Base = {
    name: 'HEAD',
    files: [...texts.keys()],
    changed: () => [...texts.keys()],
    read(paths) {
      reads.push(paths);
      return paths.map((path) => [path, texts.get(path)!] as const);
    },
  };
  return { base, reads };
}

/** Returns the removals if all of these files disappear. */
function leaving(...files: (readonly [path: string, text: string])[]) {
  const { base, reads } = baseOf(...files);
  const { removals } = checkRemovals(base, nothing, []);
  return { lines: removals.map(formatRemoval), reads };
}

test('a name that no cluster accepts never becomes a word of a command', () => {
  const { lines } = leaving(
    retired('eu1', 'old'),
    retired('eu1', 'one', '$(reboot)'),
    retired('eu1', 'two', 'a\n\u001B[2J'),
    retired('eu1', 'x;reboot', 'three'),
    retired('eu1;reboot', 'four'),
    retired('', 'five'),
  );
  expect(lines.map((line) => line.slice(0, line.indexOf(';')))).toEqual([
    'Leaves Git: namespace old of tenant old on eu1',
    'Leaves Git: namespace five of tenant five',
  ]);
});

test('the namespace of Argo CD is read for all clusters at once, as far as possible', () => {
  const set = (cluster: string, value: unknown) =>
    [`argocd/clusters/${cluster}/tenants.yaml`, JSON.stringify(value)] as const;
  const applicationSet = (namespace?: string) => ({
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'ApplicationSet',
    metadata: { name: 'x', namespace },
  });
  const names = ['eu1', 'eu2', 'eu3', 'eu4'];
  const { lines, reads } = leaving(
    set('eu1', applicationSet('gitops')),
    set('eu2', applicationSet('x; reboot')),
    set('eu3', applicationSet()),
    set('eu4', 'none'),
    ...names.flatMap((cluster) => [retired(cluster, 'old'), retired(cluster, 'older')]),
  );
  const places = lines.map((line) => / -n (.*) annotate application (.*) argocd/.exec(line));
  expect(places.map((found) => found?.slice(1).join(' '))).toEqual([
    'gitops eu1.old',
    'gitops eu1.older',
    ...['eu2', 'eu3', 'eu4'].flatMap((cluster) =>
      ['old', 'older'].map(
        (name) => `<namespace of Argo CD> <Application of clusters/${cluster}/tenants/${name}>`,
      ),
    ),
  ]);
  expect(reads.filter((paths) => paths.some((path) => path.startsWith('argocd/')))).toEqual([
    expect.anything(),
    names.map((cluster) => `argocd/clusters/${cluster}/tenants.yaml`),
  ]);
});

test('a tenant that remains on another cluster still leaves one with its Application there', () => {
  const { base } = baseOf(retired('eu1', 'old', 'old', 'Prune=false,Delete=confirm'));
  const on = (cluster: string): Summary => ({
    ...nothing,
    holders: [{ cluster, kind: 'Tenant', name: 'old', tenant: '' }],
  });
  const outcomes = (summary: Summary) =>
    checkRemovals(base, summary, []).removals.map(({ outcome }) => outcome);
  expect([outcomes(on('eu2')), outcomes(on('eu1'))]).toEqual([['AwaitsApproval'], ['Stays']]);
});

test('problems common to several bases are reported once, and so are allowances without effect', () => {
  const { base } = baseOf(
    retired('eu1', 'old'),
    [
      'clusters/eu1/tenants/acme/x.yaml',
      text(namespaceOf('acme', 'acme', ''), tenantOf('acme', 'Active')),
    ],
    ['clusters/eu1/a.yaml', text(namespaceOf('', 'tools', ''))],
  );
  const allowed = ['tools', 'none', 'none'];
  const combineBases = (...bases: Base[]) => {
    const { gone, unsure, removals } = combineRemovals(bases, nothing, { out: 'dist', allowed });
    return [
      gone.map(({ file, message }) => `${file} ${message.slice(0, message.indexOf(':'))}`),
      unsure.map(({ message }) => message.slice(message.indexOf(', got'))),
      removals.map(({ namespaces }) => namespaces.join()),
    ];
  };
  expect(combineBases(base, base)).toEqual([
    [
      'dist/clusters/eu1/tenants/acme/x.yaml tenant acme must be Retired before it disappears, got Active in HEAD',
    ],
    [", got 'none', which does not disappear"],
    ['old'],
  ]);
  expect(combineBases()).toEqual([[], [], []]);
});
