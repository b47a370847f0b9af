import { omitUndefined } from '@tenantry/kube/mapping';
import { Fleet } from '../model/fleet.ts';
import type { TenantClassDeclaration } from '../model/declaration.ts';
import { prepareUnit, type PreparedUnit } from '../synth/files.ts';
import { fileHash } from '../synth/output/stat-index.ts';
import { ClassDeclarations } from './class-declarations.ts';
import { DeclarationFiles, type FolderPart } from './declaration-files.ts';
import type { FleetInput } from './fleet-input.ts';
import { readPlatform } from './platform-file.ts';
import { hashEnvironment, computeCacheKey, renderFile, type FileContext } from './tenant-file.ts';

/** The files of tenants that a worker renders, one share at a time. It is plain data. */
export interface TenantTask {
  readonly input: FleetInput;
  /** The content of the folder, and the names of the files that hold classes. */
  readonly part: FolderPart;
  /** The classes that no file declares. */
  readonly classes: readonly TenantClassDeclaration[];
  /** The environment that the worker must compute too; see `hashEnvironment`. */
  readonly environment: string;
  /** The files to render, in their order. */
  readonly names: readonly string[];
  /** Whether the hashes of included files are requested. */
  readonly remembers: boolean;
}

/** The number of files in a share, small enough to keep all workers busy until the end. */
const SHARE = 32;

export function countShares({ names }: Pick<TenantTask, 'names'>): number {
  return Math.ceil(names.length / SHARE);
}

/** Returns the share of a file and its position in the share. */
export function locateInShares(index: number): { readonly share: number; readonly at: number } {
  return { share: Math.floor(index / SHARE), at: index % SHARE };
}

/**
 * Returns a function that renders a share. For each file it gives the result, or undefined if the
 * result depends on the rest of the fleet, as with a problem.
 * @throws {Error} when the platform and the classes are not those of the task, because files
 * changed
 */
export function beginTask(task: TenantTask): (share: number) => (PreparedUnit | undefined)[] {
  const { input, part, names, remembers, environment } = task;
  const { platform, place } = readPlatform(input.platform, { mustExist: false });
  const { delegation } = platform;
  const fleet = new Fleet({ ...platform, ...(input.date !== undefined && { date: input.date }) });
  const files = new DeclarationFiles(input.tenants, delegation, { part });
  const classes = new ClassDeclarations(fleet, files, delegation, place);
  const known = new Set(fleet.classes.all.map(({ name }) => name));
  for (const klass of task.classes) if (!known.has(klass.name)) fleet.classes.add(klass);
  // The findings about classes decide which problems of tenants follow from them.
  classes.late();
  if (hashEnvironment(fleet) !== environment) throw new Error('the fleet must be that of the task');
  const context = { fleet, files, classes, delegation };
  return (share) =>
    names
      .slice(share * SHARE, (share + 1) * SHARE)
      .map((name) => prepareFile(context, name, { environment, remembers }));
}

function prepareFile(
  context: FileContext,
  name: string,
  { environment, remembers }: Pick<TenantTask, 'environment' | 'remembers'>,
): PreparedUnit | undefined {
  const { fleet, files } = context;
  const { unit, isClean } = renderFile(
    context,
    name,
    omitUndefined({
      key: computeCacheKey(files, name, environment),
      hashOf: remembers ? fileHash : undefined,
    }),
  );
  const prepared = isClean ? prepareUnit(unit) : undefined;
  for (const claim of unit.facts.tenants) fleet.release(claim.name);
  return prepared;
}
