import { errorAt, toProblem } from '../../kube/finding.ts';
import { resourceOf } from '../../runtime/kinds/kind.ts';
import { definitionRefusals, type RemovalPlan } from '../removal/plan.ts';
import type { FoundObject } from '../removal/survey.ts';
import type { InstalledPackage } from './cleanup.ts';

export interface CleanupOptions {
  /** Also deletes the definitions. @default false */
  readonly deleteDefinitions?: boolean;
  /** Also deletes all objects of the definitions. @default false */
  readonly deleteObjects?: boolean;
}

/** The deletions in order: the next step starts when the previous one is finished. */
export interface Cleanup {
  readonly subscriptions: RemovalPlan;
  readonly rest: RemovalPlan;
}

/**
 * Plans the deletion of a package. The Subscription is first, so that OLM does not install it
 * again. Then come objects of definitions, while the operator runs, the ClusterServiceVersion and
 * the catalog, and the definitions last.
 */
export function cleanupOf(remains: InstalledPackage, options: CleanupOptions = {}): Cleanup {
  const { deleteDefinitions = false, deleteObjects = false } = options;
  const { definitions: survey } = remains;
  const definitions = deleteDefinitions ? survey.objects : [];
  const messages = definitions.flatMap((one) =>
    definitionRefusals(one, survey, new Set(), deleteObjects),
  );
  const kept = deleteDefinitions ? [] : survey.objects;
  const kinds = [...survey.instances.values()].flatMap(({ kind }) => kind ?? []);
  const rest = removal([...remains.objects, ...definitions]);
  return {
    subscriptions: removal(remains.subscriptions),
    rest: {
      ...rest,
      survey,
      deleteObjects,
      instances: new Map(
        definitions.map(({ name }) => [name.name, survey.instances.get(name.name)?.found ?? []]),
      ),
      defined: new Set(kinds.map(resourceOf)),
      staying: [
        ...remains.staying,
        ...kept.map((named) => ({ named, because: 'it goes with --delete-crds' })),
      ],
      refusals: messages.map((message) => toProblem(errorAt([], message, 'removal'), {})),
    },
  };
}

function removal(going: readonly FoundObject[]): RemovalPlan {
  return {
    going,
    instances: new Map(),
    defined: new Set(),
    staying: [],
    absent: [],
    refusals: [],
    survey: { objects: going, absent: [], instances: new Map(), contents: new Map() },
    deleteObjects: false,
  };
}
