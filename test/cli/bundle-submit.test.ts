import { expect, test } from '@jest/globals';
import { chmodSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { submittable, submittedTexts } from '@tenantry/olm/test/submission/submittable';
import type { Sample } from '@tenantry/olm/test/rules/sample';
import { inProject } from './project.ts';

const files = (change: (given: Sample) => void = () => {}, version?: string) => {
  const given = submittable(version);
  change(given);
  const texts = Object.entries(submittedTexts(given));
  return Object.fromEntries(texts.map(([path, text]) => [`redis/${path}`, text]));
};

const FOLDER = 'operators/redis-operator';
const CSV = 'manifests/redis-operator.clusterserviceversion.yaml';
const whole = [
  `${FOLDER}/1.2.3/bundle.Dockerfile`,
  `${FOLDER}/1.2.3/manifests/cache.example.com_redis.yaml`,
  `${FOLDER}/1.2.3/${CSV}`,
  `${FOLDER}/1.2.3/metadata/annotations.yaml`,
  `${FOLDER}/ci.yaml`,
];

/** Lists the files of the repository, without folders. */
const filesIn = (tree: Readonly<Record<string, string>>) =>
  Object.keys(tree).filter((path) => !path.endsWith('/'));

test(
  'a bundle is written to the expected folder with a ci.yaml, and a second run changes nothing',
  inProject(files(), async (project) => {
    const submit = 'bundle submit redis --to hub --reviewer jo --reviewer ann';
    const dry = await project.tenantry(`${submit} --dry-run`);
    expect(dry.code).toBe(0);
    expect(dry.out.trim().split('\n')).toEqual([
      ...whole,
      'redis-operator 1.2.3 is not written to hub: 5 files, 0 warnings (--dry-run)',
    ]);
    const { code, out, err } = await project.tenantry(submit);
    expect([code, err]).toEqual([0, '']);
    expect(out).toContain('redis-operator 1.2.3 is written to hub: 5 files, 0 warnings');
    const tree = project.tree('hub');
    expect(filesIn(tree)).toEqual(whole);
    expect(tree[`${FOLDER}/ci.yaml`]).toBe('reviewers:\n- jo\n- ann\nupdateGraph: replaces-mode\n');
    const again = await project.tenantry('bundle submit redis --to hub --reviewer other');
    expect([again.code, again.out]).toEqual([
      0,
      'redis-operator 1.2.3 is there already in hub: 0 files, ci.yaml is unchanged, 0 warnings\n',
    ]);
    expect(project.tree('hub')).toEqual(tree);
    expect(
      (await project.tenantry('bundle validate hub/operators/redis-operator/1.2.3')).code,
    ).toBe(0);
  }),
);

test(
  'a published version and its ci.yaml are kept, and a new version is added beside them',
  inProject(files(), async (project) => {
    const ci = 'updateGraph: replaces-mode\n# ours\nreviewers: [jo]\n';
    project.write({ [`hub/${FOLDER}/ci.yaml`]: ci });
    expect((await project.tenantry('bundle submit redis --to hub')).code).toBe(0);
    const before = project.tree('hub');
    project.write(files((given) => (given.csv.spec.description = 'Runs Redis otherwise.')));
    const { code, err } = await project.tenantry('bundle submit redis --to hub');
    expect(code).toBe(1);
    expect(err).toContain('must be as it is published, got another');
    expect(err).toContain('1 problem; nothing was written');
    expect(project.tree('hub')).toEqual(before);
    const next = (given: Sample) => (given.csv.spec.replaces = 'redis-operator.v1.2.3');
    project.write(files(next, '1.3.0'));
    expect((await project.tenantry('bundle submit redis --to hub')).code).toBe(0);
    const after = project.tree('hub');
    expect(after).toMatchObject(before);
    expect(after[`${FOLDER}/ci.yaml`]).toBe(ci);
    expect(filesIn(after)).toHaveLength(9);
  }),
);

test(
  'after one error nothing is written, and each error is reported at its place',
  inProject(
    files((given) => {
      given.csv.spec.links = [];
      given.csv.metadata.annotations.createdAt = undefined;
      given.csv.spec.replaces = 'redis-operator.v1.0.0';
    }),
    async (project) => {
      project.write({ [`hub/${FOLDER}/ci.yaml`]: 'updateGraph: replaces\n' });
      const before = project.tree('hub');
      const { code, out, err } = await project.tenantry('bundle submit redis --to hub');
      expect([code, out]).toEqual([1, '']);
      expect(err).toMatch(
        new RegExp(`^error redis/${CSV}:\\d+:\\d+ spec\\.links .*\\(submission-required\\)$`, 'm'),
      );
      expect(err).toMatch(/spec\.replaces must be an existing version.*\(submission-replaces\)$/m);
      expect(err).toMatch(/^error hub\/operators\/redis-operator\/ci\.yaml:1:14 updateGraph/m);
      expect(project.tree('hub')).toEqual(before);
      const { out: json } = await project.tenantry('bundle submit redis --to hub --output json');
      expect(JSON.parse(json)).toMatchObject({
        command: 'bundle submit',
        outcome: 'refused',
        package: 'redis-operator',
        version: '1.2.3',
        written: [],
        warnings: [
          expect.objectContaining({ rule: 'submission-ci-reviewers' }),
          expect.objectContaining({ rule: 'submission-advised' }),
        ],
      });
    },
  ),
);

test(
  'a warning fails with --strict',
  inProject(files(), async (project) => {
    const { code, err } = await project.tenantry('bundle submit redis --to hub --strict');
    expect(code).toBe(1);
    expect(err).toContain('(submission-ci-reviewers)');
    expect(err).toContain('1 warning; nothing was written');
    expect(project.tree()).not.toHaveProperty('hub/');
  }),
);

test(
  'a bundle cannot choose its folder, and --to must be a folder',
  inProject(
    files((given) => (given.annotations['package.v1'] = '../../x')),
    async (project) => {
      const { code, err } = await project.tenantry('bundle submit redis --to hub');
      expect(code).toBe(1);
      expect(err).toMatch(
        /^error redis\/metadata\/annotations\.yaml:\d+:\d+ .*submission-package/m,
      );
      project.write({ file: 'x' });
      const taken = await project.tenantry('bundle submit redis --to file');
      expect([taken.code, taken.err]).toEqual([1, "error --to must be a folder, got 'file'\n"]);
      const forced = await project.tenantry('bundle submit redis --to hub --force');
      expect(forced.err).toContain("unknown option '--force'");
      const name = await project.tenantry('bundle submit redis --to hub --reviewer a/b');
      expect(name.err).toContain(
        "--reviewer must be a name at GitHub such as 'octocat', got 'a/b'",
      );
    },
  ),
);

test(
  'a failed write leaves nothing behind',
  inProject(files(), async (project) => {
    const folder = join(project.folder, 'hub', FOLDER);
    mkdirSync(folder, { recursive: true });
    chmodSync(folder, 0o555);
    const { code, err } = await project.tenantry('bundle submit redis --to hub');
    chmodSync(folder, 0o755);
    // Root may write there, too.
    if (process.getuid?.() === 0) expect(code).toBe(0);
    else {
      expect([code, filesIn(project.tree('hub'))]).toEqual([1, []]);
      expect(err).toContain('cannot be written');
    }
    project.write({ 'other/operators': 'a file' });
    const other = await project.tenantry('bundle submit redis --to other');
    expect(other.code).toBe(1);
    expect(other.err).toMatch(
      /^error other\/operators\/redis-operator cannot be written: .*ENOTDIR/m,
    );
  }),
);

test(
  'help describes the command with examples and exit codes',
  inProject({}, async (project) => {
    const { code, out } = await project.tenantry('bundle submit --help');
    expect(code).toBe(0);
    for (const part of ['--to', '--for', '--dry-run', 'Examples:', 'Exit codes:']) {
      expect(out).toContain(part);
    }
  }),
);
