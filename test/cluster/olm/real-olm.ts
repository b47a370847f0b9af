import { mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readDocuments } from '@tenantry/kube/yaml/read';
import type { ClusterAccess } from '@tenantry/testing/controlplane/cluster';
import { Processes } from '@tenantry/testing/controlplane/processes';
import type { Body } from '@tenantry/testing/controlplane/objects';
import { until } from '@tenantry/testing/waiting/until';
import { mapConcurrently } from '@tenantry/testing/test/controlplane/map-concurrently';
import { untilServed } from '../crds.ts';
import type { OlmProgram } from './program.ts';

export type { OlmProgram } from './program.ts';

const NAMESPACE = 'olm';

/**
 * The real operator of OLM (cmd/olm) on a cluster, which handles ClusterServiceVersions. Its other half, the catalog
 * operator, does not run here; see install-bundle.ts.
 */
export class RealOlm {
  readonly #processes: Processes;
  readonly #folder: string;

  private constructor(folder: string) {
    this.#folder = folder;
    this.#processes = new Processes(folder);
  }

  /** Starts the operator; its kinds must be served. */
  static async start(
    cluster: ClusterAccess,
    { program, definitions }: OlmProgram,
  ): Promise<RealOlm> {
    const { admin } = cluster;
    await serveOlmKinds(cluster, definitions);
    await admin.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: NAMESPACE } });
    const olm = new RealOlm(mkdtempSync(join(tmpdir(), 'tenantry-olm-')));
    // The operator reads its own identity from environment variables.
    olm.#processes.start('olm', '/usr/bin/env', [
      `KUBECONFIG=${cluster.kubeconfigFile('olm')}`,
      `OPERATOR_NAMESPACE=${NAMESPACE}`,
      'OPERATOR_NAME=olm',
      program,
      `--namespace=${NAMESPACE}`,
      '--writeStatusName=',
      '--writePackageServerStatusName=',
    ]);
    return olm;
  }

  /** How the process ended; undefined while it runs. */
  get end(): string | undefined {
    return this.#processes.describeExit('olm');
  }

  /** Returns the lines of its log that contain these words. */
  logged(words: string): readonly string[] {
    const lines = readFileSync(join(this.#folder, 'olm.log'), 'utf8').split('\n');
    return lines.filter((line) => line.includes(words));
  }

  stop(): Promise<void> {
    return this.#processes.stop();
  }
}

/** Serves the definitions that OLM publishes. */
async function serveOlmKinds({ admin }: ClusterAccess, folder: string): Promise<void> {
  const files = readdirSync(folder).filter((file) => file.startsWith('operators.coreos.com_'));
  await mapConcurrently(files, async (file) => {
    const { documents } = readDocuments(readFileSync(join(folder, file), 'utf8'));
    const definition = documents[0]!.value as Body;
    const { status, body } = await admin.apply(definition, { fieldManager: 'olm', force: true });
    if (status > 201) throw new Error(`${file}: ${body.message}`);
    await untilServed(admin, definition);
  });
}

export interface CsvStatus {
  readonly phase?: string;
  readonly reason?: string;
  readonly message?: string;
  readonly requirementStatus?: readonly {
    readonly kind: string;
    readonly name: string;
    readonly status: string;
    readonly message?: string;
  }[];
}

export interface CsvName {
  readonly namespace: string;
  readonly name: string;
}

export const csvReference = ({ namespace, name }: CsvName) => ({
  apiVersion: 'operators.coreos.com/v1alpha1',
  kind: 'ClusterServiceVersion',
  namespace,
  name,
});

/** Returns the status of a version as OLM reports it; undefined if the version does not exist. */
export async function csvStatus(
  { admin }: ClusterAccess,
  name: CsvName,
): Promise<CsvStatus | undefined> {
  const { status, body } = await admin.get(csvReference(name));
  if (status === 404) return undefined;
  if (status !== 200) throw new Error(body.message);
  return (body.status ?? {}) as CsvStatus;
}

/** Waits for a phase, and for its reason if one is named. */
export async function untilPhase(
  cluster: ClusterAccess,
  name: CsvName,
  phase: string,
  reason?: string,
): Promise<CsvStatus> {
  return until(`${name.name} is ${phase}`, async () => {
    const status = await csvStatus(cluster, name);
    if (status?.phase === phase && (reason === undefined || status.reason === reason)) {
      return status;
    }
    throw new Error(JSON.stringify(status));
  });
}
