import type { Definition } from '@tenantry/crd';
import {
  storageMigration,
  type AccessRule,
  type Controller,
  type ConditionInput,
} from '@tenantry/runtime';
import { nginxController } from './controller.ts';
import { storedAsV1alpha2, withBoth, withV1alpha1 } from './definition.ts';
import { NginxV1alpha1, NginxV1alpha2, type NginxKind } from './kinds.ts';
import { readOperand } from './operand.ts';

/** The differences between releases. Usually each release is a commit; this example has them side by side. */
export interface Release {
  readonly version: ReleaseVersion;
  readonly definition: Definition;
  /** The kind in the version that its controller uses. */
  readonly kind: NginxKind;
  /** Whether it has two versions, and converts between them for the API server. */
  readonly converts: boolean;
}

export const versions = ['0.0.1', '0.1.0', '0.2.0'] as const;
export type ReleaseVersion = (typeof versions)[number];

export const LATEST: ReleaseVersion = '0.2.0';

/** @throws {Error} where no such release exists */
export function versionOf(text: string): ReleaseVersion {
  const version = versions.find((one) => one === text);
  if (version !== undefined) return version;
  throw new Error(`the release must be one of ${versions.join(', ')}, got ${text}`);
}

const releases: Readonly<Record<ReleaseVersion, Omit<Release, 'version'>>> = {
  '0.0.1': { definition: withV1alpha1, kind: NginxV1alpha1, converts: false },
  '0.1.0': { definition: withBoth, kind: NginxV1alpha2, converts: true },
  '0.2.0': { definition: storedAsV1alpha2, kind: NginxV1alpha2, converts: true },
};

export function releaseOf(version: ReleaseVersion): Release {
  return { version, ...releases[version] };
}

/** The options of the controllers. */
export interface ControllerOptions {
  /** Milliseconds for which a definition must be unchanged before objects are rewritten. @default 60,000 */
  readonly settle?: number | undefined;
  /** Receives the conditions for OLM. @default - ignores them */
  readonly report?: ((condition: ConditionInput) => void) | undefined;
}

/**
 * Creates the controllers of a release. A release with two versions also rewrites objects into its
 * storage version, after an upgrade and after a downgrade.
 * @throws {Error} where the manifest of the operand violates its schema
 */
export function controllersOf(
  { definition, kind, converts }: Release,
  { settle, report }: ControllerOptions = {},
): readonly Controller[] {
  const nginx = nginxController({ definition, kind, operand: readOperand(), report });
  return converts ? [nginx, storageMigration(definition, { settle })] : [nginx];
}

/** Returns all access rules of a release's operator. */
export function accessOf(release: Release): readonly AccessRule[] {
  return controllersOf(release).flatMap(({ access }) => access);
}
