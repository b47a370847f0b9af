import { Fleet } from '../constructs/tenant/fleet.ts';
import type { TenantClassDeclaration } from '../constructs/tenant/declaration.ts';
import { prepareUnit } from '../synth/app/prepared.ts';
import type { PreparedUnit } from '../synth/files.ts';
import { fileHash } from '../synth/output/stat-index.ts';
import { ClassDeclarations } from './class-declarations.ts';
import { DeclarationFiles, type FolderPart } from './declaration-files.ts';
import type { FleetInput } from './fleet-input.ts';
import { readPlatform } from './platform-file.ts';
import { environmentOf, keyOf, renderFile, type FileContext } from './tenant-file.ts';

/** Files of tenants that are rendered by a worker, a share at a time. It is data. */
export interface TenantTask {
  readonly input: FleetInput;
  /** The folder, with the files that hold classes. */
  readonly part: FolderPart;
  /** The classes that stand in no file. */
  readonly classes: readonly TenantClassDeclaration[];
  /** What a worker must find too, see `environmentOf`. */
  readonly environment: string;
  /** The files to render, in their order. */
  readonly names: readonly string[];
  /** Whether the hashes of included files are asked for. */
  readonly remembers: boolean;
}

/** Files in a share: few enough that nobody waits for long. */
const SHARE = 32;

export function sharesOf({ names }: Pick<TenantTask, 'names'>): number {
  return Math.ceil(names.length / SHARE);
}

/** In which share a file is, and where in it. */
export function locateInShares(index: number): { readonly share: number; readonly at: number } {
  return { share: Math.floor(index / SHARE), at: index % SHARE };
}

/**
 * Gives what renders a share: for each of its files what came of it, and undefined where that is
 * not all, such as when something is wrong: what is said of it then depends on the rest of the fleet.
 * @throws {Error} when the platform and the classes are not those of the task: files have changed
 */
export function beginTask(task: TenantTask): (share: number) => (PreparedUnit | undefined)[] {
  const { input, part, names, remembers, environment } = task;
  const { platform, place } = readPlatform(input.platform, false);
  const { delegation } = platform;
  const fleet = new Fleet(platform);
  const files = new DeclarationFiles(input.tenants, delegation, { part });
  const classes = new ClassDeclarations(fleet, files, delegation, place);
  const known = new Set(fleet.classes.map(({ name }) => name));
  for (const klass of task.classes) if (!known.has(klass.name)) fleet.addClass(klass);
  // Whose mistake something is depends on what has been said of classes.
  classes.late();
  if (environmentOf(fleet) !== environment) throw new Error('the fleet must be that of the task');
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
  const { unit, isClean } = renderFile(context, name, {
    key: keyOf(files, name, environment),
    ...(remembers && { hashOf: fileHash }),
  });
  const prepared = isClean ? prepareUnit(unit) : undefined;
  for (const claim of unit.facts.tenants) fleet.release(claim.name);
  return prepared;
}
