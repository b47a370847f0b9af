import type { Texts } from '../../synth/output/folders.ts';

/** A violation put into a rendering by hand, which the judge has to find. */
export interface Planted {
  /** The class of the tenant. @default - `walled` */
  readonly klass?: string;
  /** The world that it is in. @default - `large` */
  readonly world?: string;
  /** Further objects in mallory's namespace, without metadata that they all have. */
  readonly objects?: readonly object[];
  /** The file in which text is replaced. @default - that of the bounds of her namespace */
  readonly file?: string;
  /** Text that is replaced. */
  readonly replace?: readonly [from: string | RegExp, to: string];
  /** Whatever else is done to the files. */
  readonly files?: (files: Texts) => Texts;
  /** The same to what she declared. */
  readonly written?: (text: string) => string;
  readonly rule: string;
}

export const NAMESPACE = 'clusters/eu1/tenants/mallory/namespace-mallory-dev.yaml';
export const RBAC = 'clusters/eu1/tenants/mallory/rbac/namespace-mallory-dev.yaml';
export const RESOURCES = 'clusters/eu1/tenants/mallory/resources/namespace-mallory-dev.yaml';
export const TENANT = 'clusters/eu1/tenants/mallory/tenant.yaml';

/** An object of mallory's namespace that is called `planted`. */
export const object = (apiVersion: string, kind: string, more: object = {}) => [
  { apiVersion, kind, metadata: { name: 'planted', ...more } },
];
