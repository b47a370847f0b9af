import { errorAt, type Finding } from '../../../kube/finding.ts';
import { didYouMean, formatList, findNearest, show } from '../../../kube/problem.ts';
import type { TenantClassDeclaration } from '../declaration.ts';

/** The result of looking up a class's parent. */
export interface ParentResolution {
  /** The parent; absent if the class extends none, or one that cannot be used. */
  readonly parent?: TenantClassDeclaration;
  /** Whether the parent allows the class to be used. */
  readonly usable: boolean;
  /** The finding about the parent; absent too if another class already reports it. */
  readonly fault?: Finding;
}

/** All declared classes, by name. */
type Classes = ReadonlyMap<string, TenantClassDeclaration>;

/**
 * Looks up the parent of a class. A parent cannot have a parent of its own, so a reader has at most one more class to
 * read (docs/adr/0028-extending-classes-and-exceptions.md). Each error is reported once, for the class that contains
 * it.
 * @param isReported whether a declared class of that name has, or may have, an error that is already reported
 */
export function resolveParent(
  name: string,
  classes: Classes,
  isReported: (name: string) => boolean,
): ParentResolution {
  const wanted = classes.get(name)?.spec.extends;
  if (wanted === undefined) return { usable: true };
  if (wanted === name) return rejectParent(`must be another class, got ${show(name)} itself`);
  const parent = classes.get(wanted);
  if (!parent)
    return isReported(wanted)
      ? { usable: false }
      : rejectParent(formatUnknownParent(name, wanted, classes));
  const above = parent.spec.extends;
  if (above === undefined) return { parent, usable: true };
  const circle = findCycle(name, classes);
  const isReportedElsewhere = circle
    ? circle.some((one) => one < name)
    : !resolveParent(wanted, classes, isReported).usable;
  if (isReportedElsewhere) return { usable: false };
  const got = `${show(wanted)}, which extends ${show(above)}`;
  return rejectParent(`must be a class that extends none, got ${got}`);
}

function rejectParent(message: string): ParentResolution {
  return { usable: false, fault: errorAt(['spec', 'extends'], message, 'extends') };
}

function formatUnknownParent(name: string, wanted: string, classes: Classes): string {
  const known = [...classes.keys()].filter((one) => one !== name);
  const hint = didYouMean(findNearest(wanted, known));
  const must = `must be a declared TenantClass (${formatList(known) || 'there is no other'})`;
  return `${must}, got ${show(wanted)}${hint}`;
}

/** Returns the classes that form an inheritance cycle with a class; undefined if there is none. */
function findCycle(name: string, classes: Classes): readonly string[] | undefined {
  const way = [name];
  for (;;) {
    const next = classes.get(way.at(-1)!)?.spec.extends;
    if (next === undefined) return undefined;
    if (next === name) return way;
    if (way.includes(next)) return undefined;
    way.push(next);
  }
}
