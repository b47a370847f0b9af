import { entryOf } from '../../kube/mapping.ts';
import type { HookCall } from './sender.ts';

/**
 * What is known of a call under a name (crds/tenantry/hook-services.ts), as a text; empty where a tenant has no such
 * contact or label.
 */
export function resolveFact(call: HookCall, fact: string): string {
  const { key, event, at, tenant } = call;
  const { name, uid, className, cluster, namespaces, contact, labels } = tenant;
  const [map, ...rest] = fact.split('.');
  const entry = rest.join('.');
  if (map === 'contact') return entryOf(contact, entry) ?? '';
  if (map === 'label') return entryOf(labels, entry) ?? '';
  const facts = { key, event, at, uid, cluster, tenant: name, class: className };
  if (fact === 'namespaces') return namespaces.join(', ');
  return entryOf<string>(facts, fact) ?? '';
}

/** A text with what is known of a call in place of `{tenant}` and its like, each as `write` writes it. */
export function fillTemplate(
  text: string,
  call: HookCall,
  write: (value: string) => string,
): string {
  return text.replace(/\{([^{}]+)\}/g, (_, fact: string) => write(resolveFact(call, fact)));
}
