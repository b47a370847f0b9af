import { formatObjectName } from '../operator/drift/object-drift.ts';
import type { FoundObject } from '../import/manifests.ts';
import { createMatcher } from '../import/text-patterns.ts';
import { omitUndefined } from '@tenantry/kube/mapping';
import type { KubeObject } from '@tenantry/kube/object';

/** An object of the source, and where it is. */
export interface ReportedPlace {
  /** `RoleBinding shop-dev/admin`. */
  readonly object: string;
  /** Absent, with the line, for an object of a cluster. */
  readonly file?: string;
  readonly line?: number;
}

/** How messages and `--accept` name an object: `RoleBinding shop-dev/admin`, `Namespace shop-dev`. */
export const nameObject = ({ kind, metadata }: KubeObject): string =>
  formatObjectName({ kind, ...metadata });

/** Returns the name and the place of an object. */
export function place({ object, file, line }: FoundObject): ReportedPlace {
  return omitUndefined<ReportedPlace>({ object: nameObject(object), file, line });
}

/** Whether one of the names of an object is accepted. */
export type Matcher = (...names: readonly (string | undefined)[]) => boolean;

/** An object is accepted by its name or its manager. */
export function createAcceptance(patterns: readonly string[]): Matcher {
  const matches = createMatcher(patterns);
  return (...names) => names.some((name) => name !== undefined && matches(name));
}
