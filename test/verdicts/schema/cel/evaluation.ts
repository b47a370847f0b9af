import type { Finding } from '@tenantry/kube/finding';
import type { Client } from '@tenantry/testing/controlplane/client';
import type { Body, Metadata } from '@tenantry/testing/controlplane/objects';
import { uniqueName } from '@tenantry/testing/test/controlplane/unique-name';
import { until } from '@tenantry/testing/waiting/until';
import { definition, kindOf, refusal } from './server.ts';
import type { Case } from './values.ts';
import { serve } from '../../../cluster/crds.ts';
import { mapConcurrently } from '@tenantry/testing/test/controlplane/map-concurrently';

/** The API server's text for a rule that could not be computed; the reason is before it. */
const failed = /(?: evaluating rule: |: call arguments did not match a supported operator).*$/s;

/** Whether the verdicts and messages are the same; the reason why a rule could not be computed may differ. */
export function agrees(ours: Finding | undefined, server: readonly string[] | undefined): boolean {
  if (ours?.severity === 'not-checked') return false;
  if (!ours || !server) return ours === server;
  const words = failed.exec(ours.message)?.[0] ?? `: ${ours.message}`;
  return server.some((one) => one.endsWith(words));
}

/** The number of rules in one definition, whose costs add up. */
const TOGETHER = 60;

/**
 * Returns the API server's verdicts on values under rules, as messages of its refusals: undefined if it accepts the
 * value. The rules must be sound.
 */
export async function serverVerdicts(
  admin: Client,
  cases: readonly Case[],
): Promise<(readonly string[] | undefined)[]> {
  const verdicts: (readonly string[] | undefined)[] = [];
  for (let i = 0; i < cases.length; i += TOGETHER) {
    verdicts.push(...(await together(admin, cases.slice(i, i + TOGETHER))));
  }
  return verdicts;
}

/** Uses one definition for all cases, with a property for each. */
async function together(admin: Client, cases: readonly Case[]) {
  const kind = uniqueName('cel').replaceAll('-', '');
  const object = (name: string, fields: object, metadata: Metadata = { name }): Body => ({
    apiVersion: 'cel.example.com/v1',
    kind: kindOf(kind),
    metadata,
    ...fields,
  });
  const crd = (hasRules: boolean) => {
    const properties = cases.map(({ schema, rule }, i) => [
      `p${i}`,
      { ...schema, ...(hasRules && { 'x-kubernetes-validations': [rule] }) },
    ]);
    const ruled = { type: 'string', 'x-kubernetes-validations': [{ rule: 'false' }] };
    const canary = { canary: hasRules ? ruled : { type: 'string' } };
    return definition(kind, { ...Object.fromEntries(properties), ...canary });
  };
  // The old values are stored first, without rules that could refuse them.
  await serve(admin, crd(false));
  const before = new Map<number, Metadata>();
  await mapConcurrently(cases, async ({ old }, i) => {
    if (old === undefined) return;
    const { status, body } = await admin.create(object(`a${i}`, { [`p${i}`]: old }));
    if (status !== 201) throw new Error(`${i}: ${body.message}`);
    before.set(i, body.metadata!);
  });
  await serve(admin, crd(true));
  const canary = object('canary', { canary: 'a' });
  await until('the rules hold', async () => {
    return (await admin.create(canary, { dryRun: true })).status === 422;
  });
  const verdicts = await mapConcurrently(cases, async ({ value }, i) => {
    const metadata = before.get(i);
    const after = object(`a${i}`, { [`p${i}`]: value }, metadata);
    const reply = metadata
      ? await admin.replace(after, { dryRun: true })
      : await admin.create(after, { dryRun: true });
    return refusal(reply);
  });
  const { name } = crd(true).metadata!;
  await admin.delete({
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    name: name!,
  });
  return verdicts;
}
