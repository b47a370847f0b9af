import { WHOLE } from '../headings.ts';
import { constructs } from '../peers/constructs.ts';
import { cueJson, cueYaml } from '../peers/cue.ts';
import { declared } from '../peers/declared.ts';
import { helm } from '../peers/helm.ts';
import { jsonnet } from '../peers/jsonnet.ts';
import { kclJson, kclYaml } from '../peers/kcl.ts';
import { kustomize } from '../peers/kustomize.ts';
import type { Peer } from '../peers/peer.ts';
import { stock } from '../peers/stock.ts';
import { readNumber, readTables } from './measured-table.ts';

/** A program under the name that readers know. */
export interface Program {
  readonly label: string;
  readonly peer: Pick<Peer, 'title'>;
}

/** One way to use each program, the fastest where there are several. */
export const inTables: readonly Program[] = [
  { label: 'Tenantry', peer: declared },
  { label: 'Helm', peer: helm },
  { label: 'jsonnet', peer: jsonnet },
  { label: 'CUE', peer: cueJson },
  { label: 'KCL', peer: kclJson },
  { label: 'stock cdk8s', peer: stock },
  { label: 'kustomize', peer: kustomize },
];

/** Every way to render a large fleet. */
export const inChart: readonly Program[] = [
  { label: 'Tenantry, tenants in YAML', peer: declared },
  { label: 'Tenantry, tenants as constructs', peer: constructs },
  { label: 'Helm', peer: helm },
  { label: 'jsonnet', peer: jsonnet },
  { label: 'CUE, JSON', peer: cueJson },
  { label: 'CUE, YAML', peer: cueYaml },
  { label: 'KCL, JSON', peer: kclJson },
  { label: 'KCL, YAML', peer: kclYaml },
];

/**
 * Returns the seconds of the whole process.
 * @param size as in the head of the table: `10,000`
 */
export function secondsOf(page: string, { peer }: Program, size: string): number | undefined {
  const [table] = readTables(page, WHOLE);
  return readNumber(table?.rows.get(peer.title)?.[table.columns.indexOf(size)]);
}
