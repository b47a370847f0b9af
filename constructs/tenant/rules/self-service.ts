import { groupOf, type KubeObject } from '../../../kube/object.ts';
import { formatList, show, type Path } from '../../../kube/problem.ts';
import { isMapping } from '../../../kube/mapping.ts';
import { contains, parseCidr } from '../../../kube/cidr.ts';
import type { TenantClassDeclaration } from '../declaration.ts';
import type { RuleReporter } from './context.ts';

/**
 * Applies the bounds of the admission policies (constructs/tenant/policies) to the objects that a tenant declares,
 * because the policies exempt their applier. Names, bindings and network policies have rules of their own, and so have
 * pods (`checkNeighbors`).
 */
export function checkSelfService(
  manifest: KubeObject,
  klass: TenantClassDeclaration,
  report: RuleReporter,
): void {
  if (groupOf(manifest.apiVersion) !== '') return;
  const { services, tokenSecrets } = klass.spec.selfService ?? {};
  const refuse = (at: Path, message: string): void => report(at, message, 'self-service');
  const spec = isMapping(manifest['spec']) ? manifest['spec'] : {};
  if (manifest.kind === 'Service' && services?.policy !== 'Disabled') {
    const allowed = services?.externalIPs ?? [];
    const words = `must be addresses that class ${klass.name} allows in selfService.services.externalIPs (${formatList(allowed) || 'none'})`;
    for (const [i, address] of toList(spec['externalIPs']).entries()) {
      if (!allowed.some((block) => isInBlock(block, address))) {
        refuse(['spec', 'externalIPs', i], `${words}, got ${show(address)}`);
      }
    }
  }
  const isToken = manifest['type'] === 'kubernetes.io/service-account-token';
  if (manifest.kind === 'Secret' && isToken && tokenSecrets?.policy !== 'Disabled') {
    refuse(['type'], 'must be a type other than that of a token that never expires');
  }
}

function toList(value: unknown): readonly unknown[] {
  if (value === undefined || value === null) return [];
  return Array.isArray(value) ? value : [value];
}

/** Whether an address, as a block of one, lies in a block. */
function isInBlock(block: string, address: unknown): boolean {
  if (typeof address !== 'string') return false;
  const outer = parseCidr(block);
  const inner = parseCidr(`${address}/${address.includes(':') ? 128 : 32}`);
  return outer !== undefined && inner !== undefined && contains(outer, inner);
}
