import { afterAll, describe, expect, test } from '@jest/globals';
import { partOf } from '../../constructs/parts.ts';
import type { KubeObject } from '../../kube/object.ts';
import { markOf } from '../../synth/output/paths.ts';
import type { Texts } from '../synth/output/folders.ts';
import { Fleets } from './fuzz/case.ts';
import { classes, folderOf, worldOf } from './fuzz/worlds.ts';
import { Judge, wordsOf } from './judge.ts';
import { bounds } from './planted/bounds.ts';
import { deployments } from './planted/deployments.ts';
import { facts } from './planted/facts.ts';
import { names, others } from './planted/names.ts';
import { NAMESPACE, RBAC, RESOURCES, type Planted } from './planted/plant.ts';
import { reach } from './planted/reach.ts';
import { rights } from './planted/rights.ts';
import { metadata, structure } from './planted/text.ts';

const judge = await Judge.ofFile();
const fleets = new Fleets();
const withJudge = judge ? test : test.skip;

afterAll(() => fleets.remove());

const tenantOf = (className: string) =>
  JSON.stringify({
    apiVersion: 'tenantry.dev/v1alpha1',
    kind: 'Tenant',
    metadata: { name: 'mallory' },
    spec: {
      className,
      namespaces: [{ name: 'mallory-dev' }],
      access: { viewers: { users: ['alice@example.com'] } },
    },
  });

const renderings = new Map<string, Texts>();
const fileIn = (world: string): string => `tenants/${folderOf(world)}mallory.yaml`;

/** Renders an honest tenant of a class. A class that refuses it uses `open` instead. */
function honest(klass: string, world: string): Texts {
  const key = `${world}/${klass}`;
  const known = renderings.get(key);
  if (known) return known;
  const name = klass === 'reserved' ? 'open' : klass;
  const files = fleets.rendered({ world, written: { [fileIn(world)]: tenantOf(name) } });
  if (!files) throw new Error(`an honest tenant of ${name} is refused`);
  renderings.set(key, files);
  return files;
}

const labels = { 'app.kubernetes.io/managed-by': 'tenantry', 'tenantry.dev/tenant': 'mallory' };

const paths = { namespaces: NAMESPACE, rbac: RBAC, resources: RESOURCES };
/** The file of mallory's namespace that would contain an object. */
const fileOf = (object: object): string => paths[partOf(object as KubeObject)];

/** Writes an object as in that file. */
function documentOf(object: object): string {
  const { metadata, ...rest } = object as { metadata: object };
  return `---\n${JSON.stringify({ ...rest, metadata: { namespace: 'mallory-dev', labels, ...metadata } })}\n`;
}

function plant(
  files: Texts,
  { objects = [], file = NAMESPACE, replace, files: change }: Planted,
): Texts {
  const before = files[file]!;
  const text = replace ? before.replace(...(replace as [string, string])) : before;
  if (replace) expect(text).not.toBe(before);
  const changed = { ...files, [file]: text };
  for (const object of objects) changed[fileOf(object)] += documentOf(object);
  const after: Texts = change ? change(changed) : changed;
  // The marks are correct for files that are planted or moved, unless the marks themselves are planted.
  const isMark = (path: string) => path.startsWith('OWNED/');
  const marksOf = (texts: Texts) => Object.keys(texts).filter(isMark).toSorted();
  if (marksOf(after).join() !== marksOf(files).join()) return after;
  const rendered = Object.entries(after).filter(([path]) => !isMark(path));
  const marks = rendered.map(([path]) => [markOf(path), '']);
  return Object.fromEntries([...rendered, ...marks]);
}

withJudge.each(Object.keys(classes).filter((name) => name !== 'reserved'))(
  'an honest tenant of the class %s has no violation',
  async (klass) => {
    const written = { [fileIn('large')]: tenantOf(klass) };
    const found = await judge!.verdicts(worldOf('large'), written, honest(klass, 'large'));
    expect(wordsOf(found)).toEqual([]);
  },
);

const planted = { deployments, names, rights, facts, reach, bounds, metadata, structure, others };

describe.each(Object.entries(planted))('the judge detects, of %s,', (_part, cases) => {
  withJudge.each(Object.entries(cases))('%s', async (_what, one) => {
    const { klass = 'walled', world = 'large' } = one;
    const text = one.written?.(tenantOf(klass)) ?? tenantOf(klass);
    const after = plant(honest(klass, world), one);
    const found = await judge!.verdicts(worldOf(world), { [fileIn(world)]: text }, after);
    expect(found.map(({ rule }) => rule)).toContain(one.rule);
  });
});
