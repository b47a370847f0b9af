import { expect, test } from '@jest/globals';
import { COLLECTION, OTHER, sharesOf, type CpuProfile } from '../../bench/profile.ts';

const ROOT = 'file:///build/';

/** A stack of functions in these files, outermost first; each sample is one microsecond per entry of `times`. */
function profileOf(stacks: readonly (readonly [time: number, ...files: string[]])[]): CpuProfile {
  const nodes: {
    id: number;
    callFrame: { functionName: string; url: string };
    children: number[];
  }[] = [];
  const add = (functionName: string, url: string): number => {
    const id = nodes.length + 1;
    nodes.push({ id, callFrame: { functionName, url }, children: [] });
    return id;
  };
  const samples = stacks.map(([, ...files]) => {
    const ids = files.map((file) => (file.startsWith('(') ? add(file, '') : add('f', file)));
    ids.slice(1).forEach((id, i) => nodes[ids[i]! - 1]!.children.push(id));
    return ids.at(-1)!;
  });
  return { nodes, samples, timeDeltas: stacks.map(([time]) => time) };
}

const ours = (path: string) => `${ROOT}${path}`;
const shares = (...stacks: readonly (readonly [time: number, ...files: string[]])[]) =>
  Object.fromEntries(sharesOf(profileOf(stacks), ROOT));

test('time is attributed to the innermost code with a known purpose', () => {
  expect(
    shares(
      [
        1,
        ours('synth/app/synthesis.js'),
        ours('apps/tenants.js'),
        ours('packages/crd/schema/check.js'),
      ],
      [3, ours('apps/tenants.js'), ours('model/desired.js'), ours('packages/kube/names.js')],
      [4, ours('constructs/tenant/tenant.js'), 'file:///node_modules/cdk8s/lib/chart.js'],
    ),
  ).toEqual({
    'reading, parsing and validating declarations': 1 / 8,
    'classes, presets, rules, objects (`desired`)': 3 / 8,
    'constructs: making them': 4 / 8,
  });
});

test('a waiting thread counts as idle, and unknown code as unknown', () => {
  expect(
    shares([90, '(idle)'], [1, '(garbage collector)'], [3, 'file:///elsewhere/cli/main.js']),
  ).toEqual({ [COLLECTION]: 1 / 4, [OTHER]: 3 / 4 });
});
