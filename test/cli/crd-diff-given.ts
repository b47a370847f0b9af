import { redis, stored, withX } from '@tenantry/crd/test/compatibility/given';
import type { Ended, Project } from './project.ts';

/** The schema of the versions of a Redis whose spec.x is this. */
export const x = (field: object) => ({ schema: { openAPIV3Schema: withX(field) } });

export const definition = (field: object, more: object = {}): string =>
  JSON.stringify({ ...redis([stored('v1', x(field))]), ...more });

/** Whose spec.x is at most that. */
export const [five, four, six] = [5, 4, 6].map((maximum) =>
  definition({ type: 'integer', maximum }),
);

export function diff(
  project: Project,
  words: string,
  env: Record<string, string> = {},
): Promise<Ended> {
  return project.tenantry(`crd diff ${words}`, env);
}
