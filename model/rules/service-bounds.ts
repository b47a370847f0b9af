import { contains, parseCidr } from '@tenantry/kube/address';
import { isMapping } from '@tenantry/kube/mapping';
import type { KubeObject } from '@tenantry/kube/object';
import { formatList, show, type Path } from '@tenantry/kube/problem';
import type { SelfService } from '../../crds/self-service.ts';
import {
  allowsExternalName,
  allowsLoadBalancerClass,
  formatLoadBalancerClasses,
  NO_CLASS,
} from '../classes/services.ts';
import type { TenantClassDeclaration } from '../declaration.ts';

type ServiceBounds = NonNullable<SelfService['services']>;
type Spec = Readonly<Record<string, unknown>>;

/** What the class does not allow in a Service, and its place. */
interface Fault {
  readonly at: Path;
  readonly message: string;
}

/** Finds what the admission policy about Services refuses in an object of the core group, unless the class disables it. */
export function* findServiceFaults(
  manifest: KubeObject,
  { name, spec: klass }: TenantClassDeclaration,
): Generator<Fault> {
  const bounds = klass.selfService?.services ?? {};
  if (manifest.kind !== 'Service' || bounds.policy === 'Disabled') return;
  const spec = isMapping(manifest['spec']) ? manifest['spec'] : {};
  yield* findAddressFaults(spec, bounds, name);
  const type = spec['type'] || 'ClusterIP';
  if (bounds.types && !bounds.types.some((one) => one === type)) {
    const message = `must be a type that class ${name} allows in selfService.services.types (${formatList(bounds.types)}), got ${show(type)}`;
    yield { at: ['spec', 'type'], message };
  } else if (type === 'ExternalName') {
    yield* findNameFaults(spec, bounds, name);
  } else if (type === 'LoadBalancer') {
    yield* findClassFaults(spec, bounds, name);
  }
}

function* findAddressFaults(spec: Spec, bounds: ServiceBounds, name: string): Generator<Fault> {
  const allowed = bounds.externalIPs ?? [];
  const words = `must be addresses that class ${name} allows in selfService.services.externalIPs (${formatList(allowed) || 'none'})`;
  for (const [i, address] of toList(spec['externalIPs']).entries()) {
    if (allowed.some((block) => isInBlock(block, address))) continue;
    yield { at: ['spec', 'externalIPs', i], message: `${words}, got ${show(address)}` };
  }
}

function* findNameFaults(spec: Spec, bounds: ServiceBounds, name: string): Generator<Fault> {
  const allowed = bounds.externalNames ?? [];
  const externalName = spec['externalName'];
  if (typeof externalName !== 'string' || allowsExternalName(allowed, externalName)) return;
  const hint = allowed.includes('*')
    ? ': * is for names outside of the cluster, with a dot at the end'
    : '';
  const message = `must be a name that class ${name} allows in selfService.services.externalNames (${formatList(allowed) || 'none'}), got ${show(externalName)}${hint}`;
  yield { at: ['spec', 'externalName'], message };
}

function* findClassFaults(spec: Spec, bounds: ServiceBounds, name: string): Generator<Fault> {
  const allowed = bounds.loadBalancerClasses;
  const own = spec['loadBalancerClass'] ?? '';
  if (typeof own !== 'string' || allowsLoadBalancerClass(allowed, own)) return;
  const message = `must be a class that class ${name} allows in selfService.services.loadBalancerClasses (${formatList(formatLoadBalancerClasses(allowed ?? []))}), got ${own === '' ? NO_CLASS : show(own)}`;
  yield { at: ['spec', 'loadBalancerClass'], message };
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
