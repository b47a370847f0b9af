import { expect, test } from '@jest/globals';
import { answersTo } from '../../cli/commands/bundle/init.ts';
import { crd } from '@tenantry/olm/test/sample';
import { inProject } from './project.ts';
import { CTRL_C, CTRL_D, Terminal, testOnTerminal } from './terminal.ts';

const flags = [
  ['--package', 'shops'],
  ['--display-name', 'Shops'],
  ['--description', 'Runs shops.'],
  ['--operator-version', '1.0.0'],
  ['--image', 'quay.io/example/shops:1.0.0'],
  ['--channel', 'candidate'],
  ['--channel', 'stable'],
  ['--provider', 'Example'],
  ['--maintainer', 'Shops <shops@example.com>'],
  ['--capabilities', 'Basic Install'],
  ['--category', 'Database'],
  ['--min-kube-version', '1.30.0'],
].flat();

test(
  'without a terminal, all missing or invalid answers are reported at once',
  inProject({}, async (project) => {
    const words = ['bundle', 'init', '--to', 'new', '--package', 'Shops', '--category', 'Databse'];
    const { code, err } = await project.tenantry(words);
    expect(code).toBe(1);
    expect(err).toContain('error --package must be a DNS label');
    expect(err).toContain("did you mean 'Database'?, got 'Databse'");
    expect(err).toContain("error --display-name must be given, such as 'Shops'");
    expect(err).toContain('\n11 problems; new is as it was\n');
    expect(project.tree()).toEqual({});
  }),
);

test(
  'the generated program builds a bundle and its catalog, and is never overwritten',
  inProject({ 'crds/redises.yaml': crd }, async (project) => {
    const words = ['bundle', 'init', '--to', 'new', '--crds', 'crds', ...flags];
    const { code, err, out } = await project.tenantry(words);
    expect([code, err]).toEqual([0, '']);
    expect(out).toMatch(/^4 files in new\n/);
    const tree = project.tree('new');
    expect(tree['bundle.ts']).toContain(
      "  channels: ['candidate', 'stable'],\n  defaultChannel: 'stable',\n",
    );
    expect(tree['operator.ts']).toContain(
      "{ group: 'example.com', resource: 'redises/status', verbs: ['patch'] },",
    );
    expect(tree['app.ts']).toContain("image: 'quay.io/example/shops-bundle:v{version}',");
    expect((await project.tenantry(words)).code).toBe(1);
    expect(project.tree('new')).toEqual(tree);
  }),
);

test('a person answers the open questions, again after an invalid answer', async () => {
  const replies = [
    'Shops',
    'shops',
    'Shops',
    'Runs shops.',
    '',
    'quay.io/example/shops:1.0.0',
    '',
    'Shops <shops@example.com>, Ann <ann@example.com>',
    'Example',
    '',
    'Database',
    '1.31.0',
  ];
  const messages: string[] = [];
  const asked: string[] = [];
  const answers = await answersTo(
    {},
    {
      ask: (prompt) => {
        asked.push(prompt);
        return Promise.resolve(replies.shift()!);
      },
      print: (line) => messages.push(line),
    },
  );
  expect(messages).toEqual([expect.stringContaining('must be a DNS label')]);
  expect(asked[0]).toBe(asked[1]);
  expect(answers).toEqual({
    package: 'shops',
    displayName: 'Shops',
    description: 'Runs shops.',
    version: '0.1.0',
    image: 'quay.io/example/shops:1.0.0',
    channels: ['stable'],
    maintainers: ['Shops <shops@example.com>', 'Ann <ann@example.com>'],
    provider: 'Example',
    capabilities: 'Basic Install',
    categories: ['Database'],
    minKubeVersion: '1.31.0',
  });
});

test('given answers are not asked again, and invalid ones are reported before the first question', async () => {
  const nobody = { ask: () => Promise.reject(new Error('asked')), print: () => {} };
  const answers = await answersTo({ version: 'new', channels: [] }, nobody);
  expect(answers).toEqual({
    problems: [
      {
        path: '--operator-version',
        message: "must be a version such as '1.2.3', got 'new'",
        rule: 'answer',
      },
      {
        path: '--channel',
        message: "must have a value, such as 'candidate, stable'",
        rule: 'answer',
      },
    ],
  });
});

testOnTerminal(
  'a person at a terminal answers the questions, and the answers are written',
  inProject({}, async (project) => {
    const given = flags.slice(2, -2);
    const terminal = new Terminal(project, ['bundle', 'init', '--to', 'new', ...given]);
    await terminal.answer('Name of the package', 'Shops\n');
    await terminal.answer('must be a DNS label', '');
    await terminal.answer('Name of the package', 'shops\n');
    await terminal.answer('Oldest Kubernetes', '1.31.0\n');
    expect(await terminal.ended).toBe(0);
    expect(terminal.shown).toContain('3 files in new\n');
    expect(project.tree('new')['bundle.ts']).toContain("minKubeVersion: '1.31.0'");
  }),
);

testOnTerminal(
  'if the questions are interrupted, nothing is written and a message explains it',
  inProject({}, async (project) => {
    for (const end of [CTRL_C, CTRL_D]) {
      const terminal = new Terminal(project, ['bundle', 'init', '--to', 'new']);
      await terminal.answer('Name of the package', 'shops\n');
      await terminal.answer('Display name', end);
      expect(await terminal.ended).toBe(1);
      expect(terminal.shown).toMatch(/\): \nerror nothing was written: the questions ended\n$/);
    }
    expect(project.tree()).toEqual({});
  }),
);
