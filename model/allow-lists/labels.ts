import type { Allowed } from '../../crds/types.ts';
import { FACTS } from '../ownership.ts';
import { completePattern } from './images.ts';
import { ALLOW_LISTS, listAllowed, type AllowList, type AllowListField } from './lists.ts';

/** The value of the label of a list. */
export const LISTED = 'Listed';

/**
 * Returns the label of a Namespace whose class has the list. The policy of the list selects it, so the policy costs the
 * other namespaces nothing. The annotation of the same key has the entries. Without the annotation nothing is listed.
 */
export function listLabel({ field }: AllowList): string {
  return FACTS[field];
}

/** All labels by which policies select namespaces whose class has a list. */
export const LIST_LABELS: readonly string[] = ALLOW_LISTS.map(listLabel);

/** Builds the labels of a Namespace for the lists of its class. */
export function buildListLabels(klass: {
  readonly allow?: Allowed;
}): Readonly<Record<string, string>> {
  const listed = ALLOW_LISTS.filter((list) => listAllowed(klass, list) !== undefined);
  return Object.fromEntries(listed.map((list) => [listLabel(list), LISTED]));
}

/** Returns the entries of each list of a class, as its policy compares them. */
export function formatLists(klass: {
  readonly allow?: Allowed;
}): Partial<Record<AllowListField, readonly string[]>> {
  return Object.fromEntries(
    ALLOW_LISTS.flatMap((list) => {
      const entries = listAllowed(klass, list);
      if (!entries) return [];
      return [[list.field, list.field === 'images' ? entries.map(completePattern) : entries]];
    }),
  );
}
