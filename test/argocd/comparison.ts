import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { StdioOptions } from 'node:child_process';
import { emitYaml } from '../../kube/yaml/write.ts';
import { linesOf } from '../go/lines.ts';
import type { ArgoCdPrograms } from './programs.ts';

/** An object as it lies in Git, and as the API server has it. */
export interface Pair {
  readonly config: object;
  readonly live: object;
}

/** What Argo CD makes of a pair. */
export interface Compared {
  /** It is OutOfSync. */
  readonly modified: boolean;
  /** Why nothing of its Application can be compared; '' where it can. */
  readonly error: string;
  /** What a sync would make of it, and what is there, both as Argo CD compares them. */
  readonly predicted: unknown;
  readonly live: unknown;
}

const settings = {
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'argocd-cm', namespace: 'argocd' },
};

/**
 * Asks Argo CD's own code, which compares without asking the API server; see test/go/argocd/comparison.go.
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
