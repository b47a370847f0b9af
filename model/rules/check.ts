import type { KubeObject } from '@tenantry/kube/object';
import type { Path } from '@tenantry/kube/problem';
import type { TenantClassDeclaration, Platform } from '../declaration.ts';
import type { PlatformSpec } from '../../crds/platform.ts';
import type { TenantFinding } from '../findings/tenant-finding.ts';
import { findSeverity, type TenantRuleId } from '../findings/tenant-rules.ts';
import type { ResolvedTenant } from '../layers/resolved.ts';
import type {
  ObjectContext,
  RuleContext,
  RuleReporter,
  RuleReportOptions,
  SettingLocation,
} from './context.ts';

/** Rules that are checked together, and their check. It reports only these rules. */
export interface Check<Subject, At = Path, Id extends TenantRuleId = TenantRuleId> {
  readonly rules: readonly Id[];
  readonly check: (subject: Subject, report: RuleReporter<Id, At>) => void;
}

type TenantPlace = Path | SettingLocation;

/** A tenant with all of its rendered objects. */
export interface RenderedTenant {
  readonly tenant: ResolvedTenant;
  readonly objects: readonly KubeObject[];
}

/** A namespace with its rendered objects: first the Namespace itself, then the objects in it. */
export interface RenderedNamespace extends RuleContext {
  readonly objects: readonly KubeObject[];
}

/** An object that a tenant or a preset declares. */
export interface DeclaredObject extends ObjectContext {
  readonly manifest: KubeObject;
}

/** A class as declared, with the platform that it refers to. */
export interface DeclaredClass {
  readonly klass: TenantClassDeclaration;
  readonly platform: Platform;
}

export type TenantCheck = Check<ResolvedTenant, TenantPlace>;
export type NamespaceCheck = Check<RuleContext, TenantPlace>;
export type RenderedTenantCheck = Check<RenderedTenant, TenantPlace>;
export type RenderedNamespaceCheck = Check<RenderedNamespace, TenantPlace>;
export type ClassCheck = Check<DeclaredClass>;
export type PlatformCheck = Check<PlatformSpec>;

/** Returns a function that defines checks. A check that reports a rule that it does not list does not compile. */
function createDefine<Subject, At = Path>() {
  return <const Id extends TenantRuleId>(
    rules: readonly Id[],
    check: (subject: Subject, report: RuleReporter<NoInfer<Id>, At>) => void,
  ): Check<Subject, At, Id> => ({ rules, check });
}

export const defineTenantCheck = createDefine<ResolvedTenant, TenantPlace>();
export const defineNamespaceCheck = createDefine<RuleContext, TenantPlace>();
export const defineRenderedTenantCheck = createDefine<RenderedTenant, TenantPlace>();
export const defineRenderedNamespaceCheck = createDefine<RenderedNamespace, TenantPlace>();
export const defineObjectCheck = createDefine<DeclaredObject>();
export const defineClassCheck = createDefine<DeclaredClass>();
export const definePlatformCheck = createDefine<PlatformSpec>();

/** Runs checks, and returns their findings in order. */
export function runChecks<Subject>(
  checks: readonly Check<Subject>[],
  subject: Subject,
): TenantFinding[] {
  const findings: TenantFinding[] = [];
  for (const { check } of checks) {
    check(subject, (...reported) => findings.push(buildFinding(...reported)));
  }
  return findings;
}

/** Builds the finding that a check reports. */
export function buildFinding<Id extends TenantRuleId>(
  path: Path,
  message: string,
  rule: Id,
  { severity, aspect, unknownName }: RuleReportOptions = {},
): TenantFinding<Id> {
  return {
    path,
    message,
    rule,
    severity: severity ?? findSeverity(rule),
    ...(aspect === 'key' && { atKey: true }),
    ...(unknownName !== undefined && { about: { unknownName } }),
  };
}
