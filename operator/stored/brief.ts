import { TENANT_LABEL } from '../../kube/holder.ts';
import type { KubeObject } from '../../kube/object.ts';

/** The most characters of JSON that are kept of an undeclared object. */
const LONGEST_KEPT = 4_096;

/** The fields by which objects grant access or limit what pods may use. */
const fields = ['spec', 'rules', 'roleRef', 'subjects'] as const;

/** The content of an object, kept whole. */
export type Brief = Readonly<Partial<Record<(typeof fields)[number], unknown>>>;

/**
 * Returns what is kept of an object without a tenant's label, which is probably undeclared: its content, if that is
 * short. So it can be reported without a request to the API server.
 */
export function briefOf(object: KubeObject): { readonly brief?: Brief } {
  if (object.metadata.labels?.[TENANT_LABEL] !== undefined) return {};
  const present = fields.filter((field) => object[field] !== undefined);
  const brief = Object.fromEntries(present.map((field) => [field, object[field]]));
  return JSON.stringify(brief).length > LONGEST_KEPT ? {} : { brief };
}
