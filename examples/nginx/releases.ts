import type { Definition } from '../../crd.ts';
import {
  storageMigration,
  type AccessRule,
  type Controller,
  type ConditionInput,
} from '../../runtime.ts';
import { nginxController } from './controller.ts';
import { storedAsV1alpha2, withBoth, withV1alpha1 } from './definition.ts';
import { NginxV1alpha1, NginxV1alpha2, type NginxKind } from './kinds.ts';
import { readOperand } from './operand.ts';

/** What differs from release to release. Elsewhere each is a commit; here they stand beside each other. */
export interface Release {
  readonly version: ReleaseVersion;
  readonly definition: Definition;
  /** In the version in which its controller works. */
  readonly kind: NginxKind;
  /** Whether there is a second version, for which it answers the API server. */
  readonly converts: boolean;
}

export const versions = ['0.0.1', '0.1.0', '0.2.0'] as const;
export type ReleaseVersion = (typeof versions)[number];

export const LATEST: ReleaseVersion = '0.2.0';

/** @throws {Error} where there is no such release */
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

/** What controllers are told by who runs them. */
export interface ControllerOptions {
  /** Milliseconds for which a definition must have been the same before objects are rewritten. @default 60,000 */
  readonly settle?: number | undefined;
  /** What OLM is told. @default - nothing */
  readonly tell?: ((condition: ConditionInput) => void) | undefined;
}

/**
 * The controllers of a release. One with two versions brings objects into the one that it stores, whether one came to
 * it by an upgrade or went back to it.
 * @throws {Error} where the manifest of the operand is not as the operator needs it
 */
export function controllersOf(
  { definition, kind, converts }: Release,
  { settle, tell }: ControllerOptions = {},
): readonly Controller[] {
  const nginx = nginxController({ definition, kind, operand: readOperand(), tell });
  return converts ? [nginx, storageMigration(definition, { settle })] : [nginx];
}

/** All that the operator of a release may do. */
export function accessOf(release: Release): readonly AccessRule[] {
  return controllersOf(release).flatMap(({ access }) => access);
}
