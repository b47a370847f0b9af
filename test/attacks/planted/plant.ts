import type { Texts } from '../../synth/output/folders.ts';

/** A violation that is added to rendered files by hand, and that the judge must detect. */
export interface Planted {
  /** The class of the tenant. @default - `walled` */
  readonly klass?: string;
  /** The world of the tenant. @default - `large` */
  readonly world?: string;
  /** Additional objects in mallory's namespace, without the metadata that all of them have. */
  readonly objects?: readonly object[];
  /** The file in which text is replaced. @default - the file with the limits of mallory's namespace */
  readonly file?: string;
  /** The replacement of text. */
  readonly replace?: readonly [from: string | RegExp, to: string];
  /** Any other change of the files. */
  readonly files?: (files: Texts) => Texts;
  /** A change of what mallory declared. */
  readonly written?: (text: string) => string;
  readonly rule: string;
}

export const NAMESPACE = 'clusters/eu1/tenants/mallory/namespace-mallory-dev.yaml';
export const RBAC = 'clusters/eu1/tenants/mallory/rbac/namespace-mallory-dev.yaml';
export const RESOURCES = 'clusters/eu1/tenants/mallory/resources/namespace-mallory-dev.yaml';
export const TENANT = 'clusters/eu1/tenants/mallory/tenant.yaml';

/** An object in mallory's namespace with the name `planted`. */
export const object = (apiVersion: string, kind: string, more: object = {}) => [
  { apiVersion, kind, metadata: { name: 'planted', ...more } },
];
