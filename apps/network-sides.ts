import { formatList } from '../kube/problem.ts';
import type { ReportedSide } from './network.ts';

/**
 * Formats the other side of a connection.
 * @param names the namespaces, if several equal connections are merged
 */
export function sideText(side: ReportedSide, names: readonly string[]): string {
  if (side.kind === 'addresses') {
    return side.except ? `${side.cidr} except ${formatList(side.except)}` : side.cidr;
  }
  if (side.kind === 'anyone') {
    if (side.everywhere) return 'anyone';
    return side.pods === undefined ? 'any pod' : `pods with ${side.pods} in any namespace`;
  }
  const where = side.kind === 'namespace' ? formatList(names) : externalText(side.labels, names);
  return side.pods === undefined ? where : `pods with ${side.pods} in ${where}`;
}

function externalText(labels: string | undefined, names: readonly string[]): string {
  if (names.length === 0) return `external namespaces with ${labels}`;
  return labels === undefined
    ? `${formatList(names)} (external)`
    : `${formatList(names)} (external) if with ${labels}`;
}
