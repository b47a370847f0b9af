import { expect, test } from '@jest/globals';
import { textsOf, type Sample } from '@tenantry/olm/test/rules/sample';
import { pair, type Pair } from '@tenantry/olm/test/upgrade/pairs';
import { inProject } from './project.ts';

const under = (folder: string, given: Sample) =>
  Object.entries(textsOf(given)).map(([path, text]) => [`${folder}/${path}`, text] as const);

function files(change: (pair: Pair) => void = () => {}): Record<string, string> {
  const given = pair();
  change(given);
  return Object.fromEntries([...under('old', given.old), ...under('new', given.now)]);
}

/** One breaking change and one to review. */
const unsafe = files(({ now }) => {
  const verbs = ['get'];
  const { rules } = now.csv.spec.install.spec.clusterPermissions[0];
  rules.push({ apiGroups: [''], resources: ['secrets', 'po\u001b[31mds'], verbs });
});

test(
  'an upgrade that breaks something fails, with a row for each difference',
  inProject(unsafe, async (project) => {
    const { code, out, err } = await project.tenantry('bundle diff old new');
    expect([code, err]).toEqual([1, '']);
    expect(out).toBe(
      [
        'verdict   area          what',
        'fine      graph         redis-operator.v1.3.0: spec.replaces names OLD (upgrade-way)',
        'breaking  permissions   ServiceAccount redis-operator: may get secrets in the whole cluster: Secrets hold the credentials of others (permission-powerful)',
        'review    permissions   ServiceAccount redis-operator: may get po\\u001b[31mds in the whole cluster (permission-gained)',
        '',
        'redis-operator.v1.2.3 -> redis-operator.v1.3.0: 1 breaking, 1 to review, 1 fine',
        '',
      ].join('\n'),
    );
  }),
);

test(
  'a change accepted by rule does not fail, and a change to review fails on request',
  inProject(unsafe, async (project) => {
    const code = async (words: string) =>
      (await project.tenantry(`bundle diff old new ${words}`)).code;
    expect(await code('--allow permission-powerful')).toBe(0);
    expect(await code('--allow permission-powerful --fail-on review')).toBe(1);
    const both = '--allow permission-powerful --allow permission-gained --fail-on review';
    expect(await code(both)).toBe(0);
    expect(await code('--allow field-removed')).toBe(1);
    expect(await code('--fail-on never')).toBe(0);
    const { out } = await project.tenantry(`bundle diff old new ${both}`);
    expect(out).toContain('0 breaking, 0 to review, 1 fine, 2 accepted');
    const quiet = await project.tenantry('bundle diff old new --allow permission-gained --quiet');
    expect(quiet.out.split('\n').filter(Boolean)).toHaveLength(2);
  }),
);

test(
  'the JSON output has the same findings',
  inProject(unsafe, async (project) => {
    const { code, out } = await project.tenantry(
      'bundle diff old new --output json --allow permission-gained',
    );
    expect(code).toBe(1);
    expect(JSON.parse(out)).toMatchObject({
      command: 'bundle diff',
      outcome: 'refused',
      old: 'redis-operator.v1.2.3',
      new: 'redis-operator.v1.3.0',
      totals: { breaking: 1, review: 0, fine: 1, accepted: 1 },
      changes: [
        { rule: 'upgrade-way' },
        {
          area: 'permissions',
          verdict: 'breaking',
          rule: 'permission-powerful',
          subject: 'ServiceAccount redis-operator',
          after: { scope: 'everywhere', group: '', resources: ['secrets'], verbs: ['get'] },
        },
        { rule: 'permission-gained', accepted: true },
      ],
    });
  }),
);

test(
  'equal bundles have no differences',
  inProject(files(), async (project) => {
    const { code, out } = await project.tenantry('bundle diff old old');
    expect([code, out]).toEqual([
      0,
      'redis-operator.v1.2.3 -> redis-operator.v1.2.3: nothing differs\n',
    ]);
  }),
);

test(
  'an unreadable bundle is reported with its place, and nothing is compared',
  inProject({ ...files(), 'new/manifests/a.yaml': 'a: [' }, async (project) => {
    const { code, out, err } = await project.tenantry('bundle diff old new');
    expect([code, out]).toEqual([1, '']);
    expect(err).toMatch(/^error new\/manifests\/a\.yaml:\d+:\d+ .*nothing was compared$/ms);
    expect((await project.tenantry('bundle diff nowhere new')).err).toContain(
      'error nowhere must be',
    );
  }),
);

test(
  'an unknown rule is reported with a suggestion',
  inProject(files(), async (project) => {
    const { code, err } = await project.tenantry('bundle diff old new --allow permision-gained');
    expect([code, err]).toEqual([
      1,
      "error --allow must be the name of a rule, got 'permision-gained'; did you mean 'permission-gained'?\n",
    ]);
  }),
);

test(
  'help describes the command with examples and exit codes',
  inProject({}, async (project) => {
    const { code, out } = await project.tenantry('bundle diff --help');
    expect(code).toBe(0);
    for (const part of ['--allow', '--fail-on', '--update-graph', 'Examples:', 'Exit codes:']) {
      expect(out).toContain(part);
    }
  }),
);
