import type { JSONSchemaProps, ValidationRule } from '@tenantry/crd/schema/json-schema';
import type { Client } from '@tenantry/testing/controlplane/client';
import type { Body, Reply } from '@tenantry/testing/controlplane/objects';
import { ofOneVersion } from '../../../cluster/crds.ts';

/** Builds a definition of one version, whose root has these properties. */
export function definition(
  name: string,
  properties: Readonly<Record<string, JSONSchemaProps>>,
  rules?: readonly ValidationRule[],
): Body {
  const kind = { apiVersion: 'cel.example.com/v1', kind: kindOf(name), plural: `${name}s` };
  const ruled = rules && { 'x-kubernetes-validations': [...rules] };
  return ofOneVersion(kind, { type: 'object', properties, ...ruled });
}

export const kindOf = (name: string): string => name[0]!.toUpperCase() + name.slice(1);

/** Returns the API server's verdict on a rule at a schema, without storing it. */
export function refusesRule(
  client: Client,
  rule: ValidationRule,
  schema: JSONSchemaProps,
): Promise<string | undefined> {
  const spec = { ...schema, 'x-kubernetes-validations': [rule] };
  return serverRefuses(client, definition('subject', { spec }));
}

/** Returns the API server's verdict on a definition, without storing it and without its cost estimates. */
export async function serverRefuses(client: Client, crd: Body): Promise<string | undefined> {
  const { status, body } = await client.create(crd, { dryRun: true });
  if (status === 201) return undefined;
  if (status !== 422) throw new Error(`neither yes nor no: ${status} ${body.message}`);
  const causes = (body.details?.causes ?? []).filter(
    ({ message = '' }) => !/exceeds budget|contributed to estimated/.test(message),
  );
  return causes.length === 0 ? undefined : causes.map(({ message }) => message).join('\n');
}

/** Returns the messages of a refusal, as the rules gave them; undefined if the object was accepted. */
export function refusal({ status, body }: Reply): readonly string[] | undefined {
  if (status < 300) return undefined;
  if (status !== 422) throw new Error(`neither yes nor no: ${status} ${body.message}`);
  return (body.details?.causes ?? []).map(({ message = '' }) => message);
}
