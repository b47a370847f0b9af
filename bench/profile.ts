/** Profiles of the main thread, by the purpose of the sampled code. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { members, writeDeclarations, writeMember } from './fleet.ts';
import { markdownTable } from './markdown.ts';
import { measure, type Command } from './measure.ts';
import { constructs } from './peers/constructs.ts';
import { declared } from './peers/declared.ts';
import type { Workspace } from './workspace.ts';

/**
 * Purposes, each with the places of its code. The innermost function on the stack that is in one of
 * them counts.
 */
export type Purposes = readonly (readonly [purpose: string, where: RegExp])[];

const PURPOSES: Purposes = [
  ['start: Node, loading code, command line', /^(cli\/|node:internal\/(modules|bootstrap|main)\/)/],
  [
    'reading, parsing and validating declarations',
    /^(apps\/|crds\/declarations|packages\/kube\/yaml\/read\.)/,
  ],
  ['classes, presets, rules, objects (`desired`)', /^model\//],
  ['constructs: making them', /^constructs\//],
  ['constructs: order, validation, tokens, rendering', /^synth\/(app|charts)[./]/],
  ['YAML text', /^packages\/kube\/yaml\/write\./],
  ['one object to every reader, no object twice', /^synth\/manifests\//],
  ['hashes, comparing, handing over to the writing thread', /^synth\/output\//],
  ['what is remembered between runs', /^synth\/memory[./]/],
];
export const COLLECTION = 'garbage collection';
export const OTHER = 'everything else';
/** In the order of the page. */
export const purposes = rowsOf(PURPOSES);

/** Returns the names of the purposes, with one for the remaining code. */
export function rowsOf(all: Purposes): readonly string[] {
  return [...all.map(([purpose]) => purpose), COLLECTION, OTHER];
}

/** The used part of a profile by `node --cpu-prof`. */
export interface CpuProfile {
  readonly nodes: readonly {
    readonly id: number;
    readonly callFrame: { readonly functionName: string; readonly url: string };
    readonly children?: readonly number[];
  }[];
  readonly samples: readonly number[];
  /** In microseconds, one for each sample. */
  readonly timeDeltas: readonly number[];
}

/** Shares of the busy time of a thread, by purpose; their sum is 1. */
export type Shares = ReadonlyMap<string, number>;

/** @param root the folder or URL that contains the code, with a slash at its end */
export function sharesOf(
  { nodes, samples, timeDeltas }: CpuProfile,
  root: string,
  purposes = PURPOSES,
): Shares {
  const parents = new Map(nodes.flatMap(({ id, children = [] }) => children.map((c) => [c, id])));
  const known = new Map(nodes.map((node) => [node.id, node.callFrame]));
  const purposeOf = (id: number): string => {
    if (known.get(id)?.functionName === '(garbage collector)') return COLLECTION;
    for (let at: number | undefined = id; at !== undefined; at = parents.get(at)) {
      const url = known.get(at)?.url ?? '';
      const path = url.startsWith(root) ? url.slice(root.length) : url;
      const found = purposes.find(([, where]) => where.test(path));
      if (found) return found[0];
    }
    return OTHER;
  };
  const times = new Map<string, number>();
  samples.forEach((id, i) => {
    if (known.get(id)?.functionName === '(idle)') return;
    const purpose = purposeOf(id);
    times.set(purpose, (times.get(purpose) ?? 0) + timeDeltas[i]!);
  });
  const all = times.values().reduce((sum, time) => sum + time, 0);
  return new Map([...times].map(([purpose, time]) => [purpose, time / all]));
}

/** The profiles, by their titles on the page. */
export type Profiles = ReadonlyMap<string, Shares>;

/** Formats profiles side by side, with a row for each purpose. */
export function sharesTable(
  corner: string,
  purposes: readonly string[],
  profiles: Profiles,
): string {
  const share = (value = 0) => (value < 0.005 ? '' : `${(100 * value).toFixed(0)}%`);
  const body = purposes.map((purpose) => [
    purpose,
    ...[...profiles.values()].map((shares) => share(shares.get(purpose))),
  ]);
  return markdownTable([corner, ...profiles.keys()], body);
}

/** Profiles a fleet from YAML, from constructs, and from YAML after a change of one file. */
export function profile(workspace: Workspace, size: number): Profiles {
  const fleet = members(size);
  const once = (peer: typeof declared): Shares =>
    profiled(workspace, peer.prepare(workspace, fleet).command(workspace.path('profiled')));
  return new Map([
    ['tenants in YAML', once(declared)],
    ['constructs', once(constructs)],
    ['one file changed', afterChange(workspace, size)],
  ]);
}

function afterChange(workspace: Workspace, size: number): Shares {
  const fleet = members(size);
  const cwd = workspace.fresh('profiled');
  writeDeclarations(cwd, fleet);
  const command: Command = {
    file: process.execPath,
    args: [workspace.built('cli/main.js'), 'synth', '--quiet'],
    cwd,
    env: { TENANTRY_CACHE: workspace.fresh('cache'), CI: '' },
  };
  // The cache does not trust files that changed a moment ago until a second run has read them.
  for (let run = 0; run < 2; run++) measure(command, workspace.path('profiled.txt'));
  const first = fleet[0]!;
  writeMember(cwd, { ...first, pods: first.pods + 5 });
  return profiled(workspace, command);
}

function profiled(workspace: Workspace, { args, ...command }: Command): Shares {
  const folder = workspace.fresh('profile');
  measure({ ...command, args: [...flagsInto(folder), ...args] }, workspace.path('profiled.txt'));
  return sharesOf(profileIn(folder), workspace.builtUrl());
}

/** Returns the flags with which Node writes profiles into a folder. */
export function flagsInto(folder: string): readonly string[] {
  return ['--cpu-prof', `--cpu-prof-dir=${folder}`];
}

/** Reads the profile of the main thread. */
export function profileIn(folder: string): CpuProfile {
  // CPU.<date>.<time>.<process>.<thread>.<number>.cpuprofile
  const main = readdirSync(folder).find((name) => name.split('.')[4] === '0');
  if (main === undefined) throw new Error(`${folder} must hold a profile of the main thread`);
  return JSON.parse(readFileSync(join(folder, main), 'utf8')) as CpuProfile;
}
