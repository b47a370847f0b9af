import { TENANT_LABEL } from '../../kube/cascade-root.ts';
import type { KubeObject } from '../../kube/object.ts';

/** Characters of JSON that are kept of an object that nobody declared. */
const LONGEST_KEPT = 4_096;

/** The fields by which objects give access, or limit what pods may use. */
const fields = ['spec', 'rules', 'roleRef', 'subjects'] as const;

/** What an object says, kept whole. */
export type Brief = Readonly<Partial<Record<(typeof fields)[number], unknown>>>;

/**
 * What is kept of an object that carries no tenant's label, and so is probably nobody's declaration: what it says, as
 * far as that is short. It is reported without asking the API server.
 */
export function briefOf(object: KubeObject): { readonly brief?: Brief } {
  if (object.metadata.labels?.[TENANT_LABEL] !== undefined) return {};
  const present = fields.filter((field) => object[field] !== undefined);
  const brief = Object.fromEntries(present.map((field) => [field, object[field]]));
  return JSON.stringify(brief).length > LONGEST_KEPT ? {} : { brief };
}
