import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DeclaredKind } from '../../crds/tenantry/kind.ts';
import { readDocuments } from '../../crds/yaml/read.ts';
import type { CustomResourceDefinitionManifest } from '../../crds/customresourcedefinition.ts';
import type { Client } from '../control-plane/client.ts';
import type { Body } from '../control-plane/objects.ts';
import { until } from '../control-plane/until.ts';

const root = join(import.meta.dirname, '../../dist/clusters');

/** A CustomResourceDefinition, ours or another. */
type Definition = Body | CustomResourceDefinitionManifest;

/** One folder of a cluster in dist, with what its files hold in the order that kubectl -R takes. */
export interface DistFolder {
  readonly name: string;
  readonly objects: readonly Body[];
}

export function distClusters(): string[] {
  return readdirSync(root).toSorted();
}

/** The folders of a cluster, in the order of their names. */
export function distFolders(cluster: string): DistFolder[] {
  const names = readdirSync(join(root, cluster)).toSorted();
  return names.map((name) => ({ name, objects: objectsBelow(join(root, cluster, name)) }));
}

function objectsBelow(folder: string): Body[] {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return files
    .filter((file) => file.endsWith('.yaml'))
    .toSorted()
    .flatMap((file) => {
      const { documents, problems } = readDocuments(readFileSync(join(folder, file), 'utf8'));
      if (problems.length > 0) throw new Error(`${file} ${problems[0]!.message}`);
      return documents.map(({ value }) => value as Body);
    });
}

/** A namespaced kind that takes anything: the place of a CRD that others bring to the cluster. */
export function openCrd(apiVersion: string, kind: string, plural: string): Body {
  const [group, version] = apiVersion.split('/');
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope: 'Namespaced',
      names: { kind, plural },
      versions: [
        {
          name: version,
          served: true,
          storage: true,
          schema: {
            openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
          },
        },
      ],
    },
  };
}

/** Applies a CRD and comes back when its kind can be used; it may be there already. */
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
  await until(`${names.kind} is served`, 30, async () => (await client.list(kind)).status === 200);
}

/** Whether the API server would store an object of a kind of ours, none of it unknown to it. */
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
  throw new Error(`neither yes nor no: ${status} ${body.message}`);
}
