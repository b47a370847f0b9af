import type { Command } from 'commander';
import { didYouMean, findNearest, formatList, show } from '@tenantry/kube/problem';
import { FleetLookup, type FoundTenant } from '../../apps/fleet-lookup.ts';
import { explainObjects, listRenderedObjects } from '../../model/explain/explain-objects.ts';
import { explainTenant, type ExplainedTenant } from '../../model/explain/explain-tenant.ts';
import { parseField } from '../../model/explain/select-field.ts';
import { runApp } from '../app.ts';
import { paintIf, printJson } from '../console-output.ts';
import { buildObjectSections, reportObjects } from '../explain/report-objects.ts';
import { buildSections, reportTenant } from '../explain/report-values.ts';
import { treeLines, type TreeSection } from '../explain/tree.ts';
import { reportFailure, type ExitCode } from '../failure-report.ts';
import { addReportOptions, DATE_OPTION } from '../options.ts';
import { resolveSettings, type CommandOptions, type Settings } from '../settings.ts';
import { UsageError } from '../usage-error.ts';

interface ExplainOptions extends CommandOptions {
  readonly object?: string;
}

/** `tenantry explain`: prints every effective value of a tenant, and where it is declared. */
export function configure(command: Command): void {
  command
    .argument('<tenant>', 'the name of the tenant')
    .argument('[field]', 'only this setting, such as quota.hard.pods')
    .option('--object <kind>', 'explain the rendered objects of a kind, or one: Kind/name')
    .option('--tenants <dir>', 'the folder of tenants and classes (default: tenants)')
    .option('--platform <file>', 'the platform file (default: tenantry.yaml, if there is one)')
    .option('--date <day>', DATE_OPTION);
  addReportOptions(command, 'print no notes')
    .addHelpText(
      'after',
      `
Reads the declarations. It does not contact a cluster, and writes nothing. Each value has the layer that
sets it, with file and line:

  built-in       no layer sets it
  class          defaults, ceilings or allowances of the class; \`parent class\` for the class that it extends
  preset         a preset of the class that a layer chooses
  environment    what the class changes in an environment
  tenant         the Tenant
  namespace      an entry of spec.namespaces
  exception      an exception of the class
  platform       the platform file

FIELD is a path below spec, such as limits, network.allowFrom or namespaces.shop-prod.quota. Ceilings and
allowances of the class are below class. With --object, FIELD is a path in the object.

Examples:
  tenantry explain payments
  tenantry explain payments quota.hard.pods
  tenantry explain payments namespaces.payments-prod.network
  tenantry explain payments class.ceilings
  tenantry explain payments --object ResourceQuota
  tenantry explain payments spec.podSelector --object NetworkPolicy/tenant-isolation
  tenantry explain payments --output json

Exit codes: 0 done; 1 user error; 2 internal error.`,
    )
    .action(async (tenant: string, field: string | undefined, options: ExplainOptions) => {
      process.exitCode = await explain(tenant, field, options);
    });
}

/** @throws {UsageError} when there is no such tenant, field or object */
async function explain(
  name: string,
  field: string | undefined,
  options: ExplainOptions,
): Promise<ExitCode> {
  const settings = resolveSettings(options);
  const lookup = new FleetLookup(settings);
  const found = lookup.find(name);
  if (!found) return reportMissing(name, lookup, settings);
  const { tenant, klass, declaredClass } = found;
  const explained = explainTenant(tenant, klass, lookup.fleet.platform, declaredClass);
  return options.object === undefined
    ? printValues(found, explained, field, settings)
    : printObjects(found, explained, { kind: options.object, field }, settings);
}

/** Reports what `check` reports, if the tenant is invalid or in a file that cannot be read. */
async function reportMissing(
  name: string,
  lookup: FleetLookup,
  settings: Settings,
): Promise<ExitCode> {
  const names = lookup.tenantNames;
  const isKnown = names.includes(name);
  if (isKnown || lookup.hasProblems) {
    const { memory: _, app: _app, ...plain } = settings;
    const report = await runApp(plain, 'compare');
    if (report.outcome !== 'done') return reportFailure('explain', report, settings);
  }
  if (isKnown) throw new Error(`tenant ${name} is valid and cannot be explained`);
  const hint = didYouMean(findNearest(name, names));
  const code =
    settings.app === undefined
      ? ''
      : '; an app in TypeScript declares further ones, which cannot be explained';
  throw new UsageError(
    `the tenant must be declared in ${settings.tenants}, got ${show(name)}${hint}${code}`,
  );
}

function printValues(
  { tenant, klass, locate }: FoundTenant,
  explained: ExplainedTenant,
  field: string | undefined,
  settings: Settings,
): ExitCode {
  const selection = field === undefined ? { setting: '' } : parseField(field, explained);
  if (typeof selection === 'string') throw new UsageError(`the field ${selection}`);
  if (settings.json) {
    const report = reportTenant(explained, selection, locate);
    printJson('explain', { outcome: 'done', tenant: tenant.name, class: klass.name, ...report });
    return 0;
  }
  const sections = buildSections(explained, selection, locate);
  printTree(sections, settings);
  if (sections.length === 0 && !settings.quiet) {
    console.log(`${selection.setting} is not set: no layer of tenant ${tenant.name} sets it`);
  }
  return 0;
}

interface ObjectChoice {
  /** A kind, or `Kind/name`. */
  readonly kind: string;
  readonly field: string | undefined;
}

function printObjects(
  { tenant, klass, locate }: FoundTenant,
  explained: ExplainedTenant,
  { kind: chosen, field }: ObjectChoice,
  settings: Settings,
): ExitCode {
  const known = listRenderedObjects(explained.resolved);
  const names = new Set(known.flatMap(({ kind, metadata }) => [kind, `${kind}/${metadata.name}`]));
  if (!names.has(chosen)) {
    const kinds = [...new Set(known.map(({ kind }) => kind))].toSorted();
    const hint = didYouMean(findNearest(chosen, names));
    const must = `--object must be a rendered kind (${formatList(kinds)}) or Kind/name`;
    throw new UsageError(`${must}, got ${show(chosen)}${hint}`);
  }
  const explainedObjects = explainObjects(
    explained,
    ({ kind, metadata }) => chosen === kind || chosen === `${kind}/${metadata.name}`,
  );
  const objects = explainedObjects.map(({ fields, ...one }) => ({
    ...one,
    fields: fields.filter(
      ({ path }) => field === undefined || `${path.join('.')}.`.startsWith(`${field}.`),
    ),
  }));
  if (field !== undefined && objects.every(({ fields }) => fields.length === 0)) {
    const paths = explainedObjects.flatMap(({ fields }) => fields.map(({ path }) => path));
    const all = paths.flatMap((path) => path.map((_, i) => path.slice(0, i + 1).join('.')));
    const hint = didYouMean(findNearest(field, new Set(all)));
    throw new UsageError(`the field must be one of ${chosen}, got ${show(field)}${hint}`);
  }
  if (settings.json) {
    const reported = reportObjects(objects, locate);
    printJson('explain', {
      outcome: 'done',
      tenant: tenant.name,
      class: klass.name,
      objects: reported,
    });
    return 0;
  }
  printTree(
    buildObjectSections(
      objects.filter(({ fields }) => fields.length > 0),
      locate,
    ),
    settings,
  );
  return 0;
}

function printTree(sections: readonly TreeSection[], { colors }: Settings): void {
  for (const line of treeLines(sections, paintIf(colors.out))) console.log(line);
}
