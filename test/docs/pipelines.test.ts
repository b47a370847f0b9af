import { afterAll, describe, expect, test } from '@jest/globals';
import { inProject, tenant } from '../cli/project.ts';
import { Beginnings } from './beginnings.ts';
import { CommentServer } from './comments.ts';
import {
  github,
  gitlab,
  prepare,
  tokens,
  type Begun,
  type Place,
  type PipelineForge,
} from './pipelines.ts';
import { readSection } from './pages.ts';
import { forges } from './recipes.ts';

const platform = `apiVersion: tenantry.dev/v1alpha1
kind: Platform
metadata: { name: wagonlark }
spec: { clusters: [{ name: fra1 }, { name: arn1 }], defaultClusters: [fra1, arn1] }
`;
const acme = (pods: number) => tenant('acme', { quota: { hard: { pods } } });
const files = {
  'tenantry.yaml': platform,
  'tenants/acme.yaml': acme(20),
  'tenants/old.yaml': tenant('old'),
};

const beginnings = new Beginnings(files);
afterAll(() => beginnings.remove());

const inSite = (bot: string, body: (place: Place) => Promise<void>) =>
  inProject({}, async (project) => {
    const site = await beginnings.copyTo(project);
    await prepare({ site, project });
    const server = await new CommentServer({ [tokens.COMMENT_TOKEN]: bot }).start();
    try {
      await body({ site, project, server });
    } finally {
      server.stop();
    }
  });

/** Runs the jobs of a pipeline one after the other until one fails; the result of an absent job is `undefined`. */
async function run(forge: PipelineForge, place: Place, what: Begun, ...jobs: string[]) {
  const left = await forge.begin(place.site, what);
  const codes: (number | string | null | undefined)[] = [];
  let text = '';
  for (const job of jobs) {
    const ended = await forge.run(place, job, left);
    codes.push(ended?.code);
    text += `${ended?.out ?? ''}${ended?.err ?? ''}`;
    for (const token of Object.values(tokens)) expect(text).not.toContain(token);
    if (ended && ended.code !== 0) break;
  }
  return { codes, text, left };
}

const request = (branch: string, isFork = false): Begun => ({ kind: 'request', branch, isFork });
const pushed = (before: string): Begun => ({ kind: 'push', branch: 'main', before });

const main = ({ site }: Place) => site.author('git rev-parse main');
const change = ({ site }: Place, branch: string, texts: Record<string, string>, script?: string) =>
  site.change(branch, texts, script);
/** Returns the quota on a branch of the origin: `pods: "20"`, or nothing. */
const podsOf = async ({ site }: Place, cluster: string) => {
  const path = `dist/clusters/${cluster}/tenants/acme/namespace-acme.yaml`;
  const { out } = await site.shell(
    'origin.git',
    `git show env/${cluster}:${path} | grep -m1 ' pods:'`,
  );
  return out.trim();
};

const MARK = '<!-- tenantry plan -->';

describe.each([github, gitlab])('the pipeline for $name', (forge) => {
  test(
    'posts one comment on the effect of a request and updates it; for a fork it is only shown',
    inSite(forge.bot, async (place) => {
      const { comments } = place.server;
      const theirs = place.server.add('ann', `${MARK}\nquoted`);
      await change(place, 'less', { 'tenants/acme.yaml': acme(10) });
      await change(place, 'main', { 'tenants/abroad.yaml': tenant('abroad') });
      const first = await run(forge, place, request('less'), 'check', 'comment', 'fra1', 'arn1');
      expect([first.codes, first.text]).toEqual([[0, 0, undefined, undefined], expect.anything()]);
      expect(comments).toHaveLength(2);
      expect(comments[1]).toMatchObject({
        author: forge.bot,
        body: expect.stringMatching(`^${MARK}\n### Plan: 2 changes: 0 high, 1 medium`),
      });
      expect(comments[1]!.body).toContain('pods 20 -&#62; 10');
      expect(comments[1]!.body).not.toContain('abroad');
      const fork = await run(forge, place, request('less', true), 'check', 'comment', 'fra1');
      expect(fork.codes).toEqual([0, undefined, undefined]);
      expect(fork.left.summary).toContain('pods 20 -&#62; 10');
      expect(comments).toHaveLength(2);
      await change(place, 'less', { 'tenants/acme.yaml': acme(5) });
      await run(forge, place, request('less'), 'check', 'comment');
      expect(comments).toHaveLength(2);
      expect(comments[1]!.body).toContain('pods 20 -&#62; 5');
      expect(comments[0]).toEqual(theirs);
    }),
  );

  test(
    'brings a commit of main to one cluster, and to the next one after an approval',
    inSite(forge.bot, async (place) => {
      const before = await main(place);
      const first = await run(forge, place, pushed(before), 'comment', 'fra1', 'arn1');
      expect([first.codes, first.text]).toEqual([[undefined, 0, 0], expect.anything()]);
      await change(place, 'main', { 'tenants/acme.yaml': acme(10) });
      const ten = await forge.begin(place.site, pushed(before));
      expect((await forge.run(place, 'fra1', ten))?.code).toBe(0);
      expect([await podsOf(place, 'fra1'), await podsOf(place, 'arn1')]).toEqual([
        'pods: "10"',
        'pods: "20"',
      ]);
      await change(place, 'main', { 'tenants/acme.yaml': acme(5) });
      const five = await forge.begin(place.site, pushed(ten.commit));
      for (const job of ['fra1', 'arn1']) expect((await forge.run(place, job, five))?.code).toBe(0);
      expect([await podsOf(place, 'fra1'), await podsOf(place, 'arn1')]).toEqual([
        'pods: "5"',
        'pods: "5"',
      ]);
      // The older run is approved afterwards.
      const late = await forge.run(place, 'arn1', ten);
      expect(late).toMatchObject({
        code: 1,
        err: expect.stringMatching(/got (an older one|a clone without it)/),
      });
      expect(await podsOf(place, 'arn1')).toBe('pods: "5"');
    }),
  );

  test(
    'promotes nothing that check rejects, and removes no tenant from a cluster where it was not retired',
    inSite(forge.bot, async (place) => {
      const before = await main(place);
      await run(forge, place, pushed(before), 'fra1', 'arn1');
      await change(place, 'main', { 'tenants/new.yaml': tenant('new') }, 'unrendered');
      const stale = await run(forge, place, pushed(before), 'check', 'fra1');
      expect([stale.codes, stale.text]).toEqual([[1], expect.stringContaining('missing  dist/')]);
      await change(place, 'main', { 'tenants/old.yaml': tenant('old', { lifecycle: 'Retired' }) });
      const retired = await main(place);
      expect((await run(forge, place, pushed(before), 'check', 'fra1')).codes).toEqual([0, 0]);
      await change(place, 'main', {}, 'git rm -q tenants/old.yaml');
      const gone = await run(forge, place, pushed(retired), 'check', 'fra1', 'arn1');
      expect(gone.codes).toEqual([0, 0, 1]);
      expect(gone.text).toContain(
        'tenant old must be Retired before it disappears, got Active in origin/env/arn1',
      );
    }),
  );
});

test(
  'the commands of docs/plan.md work as on the page',
  inSite('nobody', async ({ site }) => {
    const { blocks } = readSection('docs/plan.md', 'Promotion');
    for (const { text } of blocks.filter(({ hints }) => hints.has('run'))) await site.author(text);
    const listed = await site.author('git ls-remote --heads origin "env/*"');
    expect(listed).toMatch(/^[\da-f]{40}\trefs\/heads\/env\/fra1$/);
  }),
);

test('the pipelines run the same checks as the recipes of docs/ci.md', () => {
  for (const [i, steps] of [github, gitlab].map(({ checks }) => checks).entries()) {
    const recipe = forges[i]!.checks;
    expect(recipe.length).toBeGreaterThan(2);
    expect(steps.filter((step) => recipe.includes(step))).toEqual(recipe);
  }
});
