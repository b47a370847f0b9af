import type { JSONSchemaProps } from '@tenantry/crd/schema/json-schema';
import type { Client } from '@tenantry/testing/controlplane/client';
import type { Body } from '@tenantry/testing/controlplane/objects';
import { until } from '@tenantry/testing/waiting/until';
import type { Change } from './changes.ts';
import { ManySchemas } from './many-schemas.ts';
import type { AdmissionVerdict } from './verdict.ts';
import { mapConcurrently } from '@tenantry/testing/test/controlplane/map-concurrently';

/** A value for a schema, in an object with metadata. */
export interface AskedValue {
  readonly schema: JSONSchemaProps;
  readonly value: unknown;
  /** @default - a name */
  readonly metadata?: object;
}

/** The field that contains each value in results, whatever its name in the request. */
export const FIELD = 'f';

export async function serverValues(
  client: Client,
  cases: readonly AskedValue[],
): Promise<AdmissionVerdict[]> {
  const schemas = [...new Set(cases.map(({ schema }) => schema))];
  const kind = new ManySchemas(client, schemas);
  await kind.serve();
  return mapConcurrently(cases, async ({ schema, value, metadata }) => {
    const index = schemas.indexOf(schema);
    return inField(index, await kind.servers(kind.object(index, value, metadata)));
  });
}

/** A value that is to replace a stored one. */
export interface AskedChange {
  readonly change: Change;
  readonly value: unknown;
}

export async function serverChanges(
  client: Client,
  cases: readonly AskedChange[],
): Promise<AdmissionVerdict[]> {
  const changes = [...new Set(cases.map(({ change }) => change))];
  // An additional field shows when the new schemas are in force.
  const canary: readonly JSONSchemaProps[] = [{ type: 'string' }, { type: 'string', maxLength: 1 }];
  const [before, after] = canary as [JSONSchemaProps, JSONSchemaProps];
  const kind = new ManySchemas(client, [
    ...changes.map(({ schema, storedUnder = schema }) => storedUnder),
    before,
  ]);
  await kind.serve();
  const stored: Body[] = [];
  for (const [i, change] of changes.entries()) {
    stored.push(await kind.store(kind.object(i, change.before, { name: `a${i}` })));
  }
  await kind.with([...changes.map(({ schema }) => schema), after]).serve();
  const tooLong = kind.object(changes.length, 'long');
  await until('the new schemas are in force', async () => {
    return !(await kind.servers(tooLong)).isAccepted;
  });
  return mapConcurrently(cases, async ({ change, value }) => {
    const index = changes.indexOf(change);
    const changed = { ...stored[index]!, spec: { [`f${index}`]: value } };
    return inField(index, await kind.serversOfChange(changed));
  });
}

/** Returns the verdict on the field of one schema, as if it were the only one. */
function inField(index: number, verdict: AdmissionVerdict): AdmissionVerdict {
  const own = new RegExp(`^spec\\.f${index}\\b`);
  const renamed = (paths: readonly string[]): string[] =>
    paths.map((path) => path.replace(own, `spec.${FIELD}`));
  const spec = verdict.spec as Readonly<Record<string, unknown>> | undefined;
  const value = spec?.[`f${index}`];
  return {
    ...verdict,
    blamed: renamed(verdict.blamed),
    unknown: renamed(verdict.unknown),
    spec: value === undefined ? {} : { [FIELD]: value },
  };
}
