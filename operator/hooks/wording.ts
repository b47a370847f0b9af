import { entryOf } from '../../kube/mapping.ts';
import type { HookCall } from './sender.ts';

/**
 * Returns a fact of a call by name (crds/tenantry/hook-services.ts), as a text; empty if the tenant has no such contact or
 * label.
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

/** Replaces `{tenant}` and other placeholders in a text by the facts of a call, each formatted by `write`. */
export function fillTemplate(
  text: string,
  call: HookCall,
  write: (value: string) => string,
): string {
  return text.replace(/\{([^{}]+)\}/g, (_, fact: string) => write(resolveFact(call, fact)));
}
