import type { CustomResourceDefinitionManifest } from '@tenantry/crd/custom-resource-definition';
import type { JSONSchemaProps } from '@tenantry/crd/schema/json-schema';
import type { DeclaredKind } from '../../crds/declared-kind.ts';
import type { Client } from '@tenantry/testing/controlplane/client';
import type { Body } from '@tenantry/testing/controlplane/objects';
import { until } from '@tenantry/testing/waiting/until';

/** A CustomResourceDefinition, either from this repository or any other. */
type Definition = Body | CustomResourceDefinitionManifest;

/** Stores nothing, and refuses unknown fields. */
export const TRIAL = { dryRun: true, fieldValidation: 'Strict' } as const;

/** The name of a kind in requests for its objects. */
export interface TrialKind {
  readonly apiVersion: string;
  readonly kind: string;
  readonly plural: string;
}

/** Builds the definition of a kind that has one version. */
export function ofOneVersion(
  { apiVersion, kind, plural }: TrialKind,
  openAPIV3Schema: JSONSchemaProps,
  scope: 'Cluster' | 'Namespaced' = 'Cluster',
): Body {
  const [group, name] = apiVersion.split('/');
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope,
      names: { kind, plural },
      versions: [{ name, served: true, storage: true, schema: { openAPIV3Schema } }],
    },
  };
}

/** Applies a CRD, which may exist already, and returns once its kind can be used. */
export async function serve(client: Client, crd: Definition): Promise<void> {
  const options = { fieldManager: 'crds', fieldValidation: 'Strict', force: true } as const;
  const { status, body } = await client.apply(crd as Body, options);
  if (status > 201) throw new Error(`no ${crd.metadata?.name}: ${status} ${body.message}`);
  await untilServed(client, crd);
}

export async function untilServed(client: Client, crd: Definition): Promise<void> {
  const { group, names, versions } = crd.spec as {
    group: string;
    names: { kind: string };
    versions: { name: string }[];
  };
  const kind = { apiVersion: `${group}/${versions[0]!.name}`, kind: names.kind };
  await until(`${names.kind} is served`, async () => (await client.list(kind)).status === 200);
}

/** Returns whether the API server would store an object of one of our kinds, with no unknown field. */
export async function accepts(
  client: Client,
  { apiVersion, plural }: DeclaredKind,
  object: unknown,
): Promise<boolean> {
  const path = `/apis/${apiVersion}/${plural}`;
  const query = { dryRun: 'All', fieldValidation: 'Strict' };
  const { status, body } = await client.request({ method: 'POST', path, query, body: object });
  if (status === 201) return true;
  if (status === 400 || status === 422) return false;
  throw new Error(`the API server must accept or refuse the object, got ${status} ${body.message}`);
}
