import { errorAt, type Finding } from '../../../kube/finding.ts';
import { didYouMean, formatList, findNearest, show } from '../../../kube/problem.ts';
import type { TenantClassDeclaration } from '../declaration.ts';

/** The class that another one extends. */
export interface ParentResolution {
  /** Absent where it extends none, or one that cannot be used. */
  readonly parent?: TenantClassDeclaration;
  /** Whether the class can be used, as far as its parent goes. */
  readonly usable: boolean;
  /** What is wrong with it; absent too where that is said of another class. */
  readonly fault?: Finding;
}

/** All classes that are declared, by name. */
type Classes = ReadonlyMap<string, TenantClassDeclaration>;

/**
 * The parent of a class. One step is all there is: who reads a class has one more to read
 * (docs/adr/0028-extending-classes-and-exceptions.md). A mistake is said once, of the class that holds it.
 * @param isReported whether a class of a name is, or may be, declared and wrong; that is told already
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

/** The classes that extend each other in a circle with a class; undefined where it is in none. */
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
