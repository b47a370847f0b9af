import { tenantClass as classKind } from '../crds/tenant-class.ts';
import { buildClaim, findNamespacePath, type TenantClaim } from '../model/name-claims.ts';
import type { TenantNetwork } from '../model/connections/network.ts';
import type { Delegation } from '../model/delegation.ts';
import type { DesiredTenant } from '../model/desired.ts';
import { findPeriod, type Period } from '../model/end-dates.ts';
import type { Fleet } from '../model/fleet.ts';
import type { GrantedException } from '../model/granted-exceptions.ts';
import type { Finding } from '@tenantry/kube/finding';
import { omitUndefined } from '@tenantry/kube/mapping';
import type { Problem } from '@tenantry/kube/problem';
import type { Unit, OutputFile } from '../synth/files.ts';
import { contentHash } from '../synth/output/stat-index.ts';
import type { FindingAttribution } from './attribution.ts';
import type { ClassDeclarations } from './class-declarations.ts';
import type { DeclarationFiles, DeclaredClass, DeclaredTenant } from './declaration-files.ts';
import { findForbiddenNamespaceNames, checkPlacement, findUngrantedLabels } from './delegation.ts';
import { groupArgoCDFiles, layout, choosePart, PARTS } from '../model/layout.ts';

/** The facts of a file that the rest of the fleet needs. It is plain data. */
export interface FileFacts {
  readonly tenants: readonly TenantClaim[];
  readonly networks: readonly TenantNetwork[];
  /** The exceptions that classes grant to the tenants. */
  readonly exceptions: readonly GrantedException[];
  readonly warnings: readonly Problem[];
  /** The included files, relative to the folder, with the hash of their content if hashes are requested. */
  readonly includes: readonly (readonly [path: string, hash: string])[];
  /** The days for which the result holds. Absent: every day. */
  readonly period?: Period;
}

/** The result of rendering a file. */
interface RenderedTenantFile {
  readonly unit: Unit & { readonly facts: FileFacts };
  readonly problems: readonly Problem[];
  /** Whether the unit is the whole result: there are no problems and no deferred findings. */
  readonly isClean: boolean;
}

/** The result of one Tenant in a file. */
interface TenantOutcome {
  /** Absent if the folder may not hold this declaration. */
  readonly desired?: DesiredTenant;
  readonly problems: readonly Problem[];
  readonly warnings: readonly Problem[];
  readonly isClean: boolean;
}

/** The files of tenants, and what is known before the first of them is read. */
export interface FileContext {
  readonly fleet: Fleet;
  readonly files: DeclarationFiles;
  readonly classes: ClassDeclarations;
  /** Undefined while the platform has errors. */
  readonly delegation: Delegation | undefined;
}

/** Returns the hash of a file if it can be read. */
type HashOf = (file: string) => string | undefined;

interface RenderOptions {
  /**
   * The hash of the file and of everything that its output depends on. Default: the result is not
   * remembered
   */
  readonly key?: string | undefined;
  readonly hashOf?: HashOf;
}

/**
 * Returns a hash of everything besides the file itself that its output depends on, except for the day: most files are
 * the same on every day, and `FileFacts.period` has the days of the others.
 */
export function hashEnvironment({ platform: dated, classes }: Fleet): string {
  const { date: _date, ...platform } = dated;
  const { kinds, definitions } = platform;
  const digests = [...definitions].map(([id, { digest }]) => [id, digest]);
  return contentHash(JSON.stringify([platform, [...kinds], digests, classes.all]));
}

/** Returns the key of a file, which changes with everything that its output depends on. */
export function computeCacheKey(
  files: DeclarationFiles,
  name: string,
  environment: string,
): string {
  return contentHash(`${environment} ${files.path(name)} ${files.hash(name)}`);
}

/** Returns the hash of a file below the folder; empty if there is no such file. */
export function hashOfIncluded(files: DeclarationFiles, name: string, hashOf: HashOf): string {
  return (files.has(name) && hashOf(files.path(name))) || '';
}

/** Reads, validates and renders the tenants of a file, and adds them to the fleet. */
export function renderFile(
  context: FileContext,
  name: string,
  { key, hashOf = () => undefined }: RenderOptions,
): RenderedTenantFile {
  const { fleet, files, classes } = context;
  const { declared, problems } = classes.read(name);
  const tenants = tenantsAmong(context, declared, name);
  const outcomes = tenants.map((one) => computeOutcome(context, one, name));
  const isEmpty = declared.length + problems.length === 0;
  const tenantWarnings = outcomes.flatMap(({ warnings }) => warnings);
  const rendered = outcomes.flatMap(({ desired }) => desired ?? []);
  const includes = declared.flatMap((one) => one.files.map((path) => files.included(name, path)));
  const facts: FileFacts = {
    tenants: tenants.map(buildClaim),
    networks: tenants.flatMap((one) => fleet.networks.get(one.name) ?? []),
    exceptions: tenants.flatMap((one) => fleet.exceptions(one.name)),
    warnings: isEmpty
      ? [buildEmptyFileWarning(files.path(name)), ...tenantWarnings]
      : tenantWarnings,
    includes: includes.map((path) => [path, hashOfIncluded(files, path, hashOf)]),
    ...computePeriod(fleet, tenants),
  };
  return {
    unit: omitUndefined({
      id: files.path(name),
      origin: files.displayPath(name),
      key,
      files: renderTenantFiles(rendered),
      namespaces: rendered.flatMap(listUnitNamespaces),
      facts,
    }),
    problems: [...problems, ...outcomes.flatMap((outcome) => outcome.problems)],
    isClean: problems.length === 0 && outcomes.every(({ isClean }) => isClean),
  };
}

function computePeriod(
  fleet: Fleet,
  tenants: readonly DeclaredTenant[],
): Pick<FileFacts, 'period'> {
  const { date } = fleet.platform;
  const endings = tenants.flatMap((one) => fleet.endings(one));
  return endings.length === 0 || date === undefined ? {} : { period: findPeriod(endings, date) };
}

/** Returns the tenants to which the rules can be applied. */
function tenantsAmong(
  { classes, delegation, files }: FileContext,
  declared: readonly (DeclaredTenant | DeclaredClass)[],
  name: string,
): DeclaredTenant[] {
  const tenants: DeclaredTenant[] = [];
  for (const one of declared) {
    if (one.kind === classKind.kind && !classes.isRead(name)) {
      const file = files.path(name);
      throw new Error(`${file} holds the TenantClass ${one.name}, which was not read as a class`);
    }
    if (one.kind !== classKind.kind && delegation) tenants.push(one);
  }
  return tenants;
}

/** Evaluates a tenant. A tenant that its folder may not hold reserves no names. */
function computeOutcome(context: FileContext, one: DeclaredTenant, place: string): TenantOutcome {
  const { fleet, files, classes, delegation } = context;
  const file = files.path(place);
  const refusal = delegation && checkPlacement(one, place, delegation);
  const desired = refusal ? fleet.desired(one) : fleet.add(one, file);
  const { attribution } = classes;
  const undelegated = refusal
    ? refusals(attribution, one, refusal, place)
    : listUndelegated(context, one, place);
  const following = desired.findings.map((found) =>
    attribution.classifyTenantFinding({ file, one }, found),
  );
  const findings = [...undelegated, ...desired.findings.filter((_, i) => following[i] === 'no')];
  const listProblems = (severity: Finding['severity']): Problem[] =>
    findings.filter((found) => found.severity === severity).map((found) => one.problem(found));
  const problems = listProblems('error');
  return omitUndefined({
    problems,
    warnings: listProblems('warning'),
    isClean: !refusal && problems.length === 0 && !following.includes('kept'),
    desired: !refusal && undelegated.length === 0 ? desired : undefined,
  });
}

/** Returns the refusal of a misplaced tenant, unless the platform may be at fault. */
function refusals(
  attribution: FindingAttribution,
  one: DeclaredTenant,
  finding: Finding,
  name: string,
): Finding[] {
  return attribution.tryDeferMisplaced({ name, finding, problem: one.problem(finding) })
    ? []
    : [finding];
}

/** Returns findings for names and labels that the folder may not use. */
function listUndelegated({ fleet, delegation }: FileContext, one: DeclaredTenant, place: string) {
  if (!delegation) return [];
  const at = (namespace: string) => findNamespacePath(one, namespace);
  return [
    ...findForbiddenNamespaceNames(buildClaim(one).namespaces, at, place, delegation),
    ...findUngrantedLabels(one, fleet.classes.all, place, delegation),
  ];
}

/** Warns about a file without declarations, which may once have had some. */
function buildEmptyFileWarning(file: string): Problem {
  const message =
    'must declare something, got nothing but blank lines and comments: remove the file, if that is meant';
  return { file, path: '', message, rule: 'empty-file' };
}

/** See `Unit.namespaces`. */
function listUnitNamespaces(desired: DesiredTenant): string[] {
  const { tenant, clusters, namespaces, argocd, projects } = desired;
  const onArgoCD = [...argocd, ...projects.map(({ object }) => object)];
  return [
    ...new Set(onArgoCD.map(({ metadata }) => `/${metadata.namespace}`)),
    ...clusters.map((cluster) => `${cluster}/${tenant.kind}/${tenant.metadata.name}`),
    ...namespaces.map(({ cluster, name }) => `${cluster}/${name}`),
  ];
}

/** Renders the files of tenants in the folder of every cluster, and in the one for Argo CD. */
function* renderTenantFiles(tenants: readonly DesiredTenant[]): Generator<OutputFile> {
  for (const { tenant, clusters, namespaces, argocd, projects } of tenants) {
    const { name } = tenant.metadata;
    for (const cluster of clusters) {
      yield { path: layout.tenant(cluster, name), content: [tenant] };
    }
    for (const namespace of namespaces) {
      const byPart = Map.groupBy(namespace.objects, choosePart);
      for (const part of PARTS) {
        const path = layout.namespace(namespace.cluster, name, namespace.name, part);
        // Argo CD could miss the removal of a file.
        yield { path, content: byPart.get(part) ?? [] };
      }
    }
    for (const [path, content] of groupArgoCDFiles(name, argocd)) yield { path, content };
    for (const { cluster, object } of projects) {
      yield { path: layout.argocd.projectFile(cluster, name), content: [object] };
    }
  }
}
