import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { StdioOptions } from 'node:child_process';
import { emitYaml } from '@tenantry/kube/yaml/write';
import { linesOf } from '../go/lines.ts';
import type { ArgoCdPrograms } from './programs.ts';

/** An object in Git, and the same object on the API server. */
export interface Pair {
  readonly config: object;
  readonly live: object;
}

/** Argo CD's verdict on a pair. */
export interface Compared {
  /** The object is OutOfSync. */
  readonly modified: boolean;
  /** The reason why nothing of its Application can be compared; '' if it can. */
  readonly error: string;
  /** The predicted object after a sync, and the live object, both normalized by Argo CD. */
  readonly predicted: unknown;
  readonly live: unknown;
}

const settings = {
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'argocd-cm', namespace: 'argocd' },
};

/**
 * Compares pairs with Argo CD's own code, without requests to the API server; see test/go/argocd/comparison.go.
 * @param kubeconfig of the cluster whose schemas it reads
 */
export function compareAsArgoCd(
  { bin }: ArgoCdPrograms,
  kubeconfig: string,
  pairs: readonly Pair[],
): Compared[] {
  const folder = mkdtempSync(join(tmpdir(), 'tenantry-comparison-'));
  try {
    const file = join(folder, 'argocd-cm.yaml');
    writeFileSync(file, emitYaml([settings]));
    const stdio: StdioOptions = ['pipe', 'pipe', 'pipe'];
    const lines = linesOf(join(bin, 'comparison'), pairs, { flags: [kubeconfig, file], stdio });
    return lines.map((line) => JSON.parse(line) as Compared);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
