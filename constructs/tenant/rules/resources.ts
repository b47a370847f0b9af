import { show } from '../../../kube/problem.ts';
import type { KubeObject } from '../../../kube/object.ts';
import { findCompetingWriters } from '../competing-writers.ts';
import type { ExtraResource } from '../layers/merged.ts';
import { CLASS_PRESET_RULE } from '../layers/resources.ts';
import { formatOrigin, findValueSource, type Origin } from '../resourcepresets/made.ts';
import { belongsToNamespace } from '../objects/workload.ts';
import type { RuleReporter, RuleContext } from './context.ts';
import { checkDeclaredObject } from './object-walls.ts';

/** The further objects of a namespace, written out and made by presets: the same walls for both. */
export function checkResources(context: RuleContext): void {
  const { tenant, namespace } = context;
  const { klass, platform } = tenant;
  const clusters = platform.clusters.filter(({ name }) => name === namespace.cluster);
  const objects: [KubeObject, RuleReporter][] = [];
  for (const resource of namespace.settings.resources) {
    const refuse = resource.origin
      ? createPresetReport(context, resource, resource.origin)
      : (...[at, ...rest]: Parameters<RuleReporter>) =>
          context.report([...resource.path, ...at], ...rest);
    const isObject = checkDeclaredObject(resource.manifest, { klass, platform, clusters }, refuse);
    if (!isObject) continue;
    checkNamespace(context, resource, refuse);
    if (belongsToNamespace(namespace.name, resource)) objects.push([resource.manifest, refuse]);
  }
  const refusals = new Map(objects);
  for (const { object, path, message } of findCompetingWriters([...refusals.keys()])) {
    refusals.get(object)!(path, message, 'competing-writer', { severity: 'warning' });
  }
}

/**
 * What is refused of an object that a preset made is said of the value that it comes from, or else
 * of the use of the preset. What the preset itself says is reported where the class is declared.
 */
function createPresetReport(
  { report }: RuleContext,
  { path, byTenant }: ExtraResource,
  origin: Origin,
): RuleReporter {
  return (at, message, rule, { severity, aspect, before } = {}) => {
    const sources = [at, ...(before ? [before] : [])].map((one) =>
      findValueSource(origin, one, aspect),
    );
    const values = rule === 'resource-size' ? [] : sources.find((one) => one.values)?.values;
    const part = values ? ['values', ...values] : ['preset'];
    const isPresets = !values && !sources.some(({ surroundings }) => surroundings);
    // Where the class is declared it is a warning too, and that is enough.
    if (isPresets && severity === 'warning') return;
    const words = `${message} (${formatOrigin(origin, at)})`;
    const reportedRule = isPresets ? CLASS_PRESET_RULE : rule;
    report(byTenant ? [...path, ...part] : path, words, reportedRule, {
      ...(severity && { severity }),
    });
  };
}

/** An object that names a namespace stands in the entry of that one, or where it is for all of them. */
function checkNamespace(
  { tenant, namespace }: RuleContext,
  { manifest, path }: ExtraResource,
  refuse: RuleReporter,
): void {
  const where = manifest.metadata.namespace;
  if (where === undefined) return;
  const at = ['metadata', 'namespace'];
  if (!tenant.namespaces.some((own) => own.name === where)) {
    const message = `must be a namespace of the tenant, got ${show(where)}`;
    refuse(at, message, 'resource-namespace');
  } else if (path[1] === 'namespaces' && where !== namespace.name) {
    const own = show(namespace.name);
    const message = `must be left out or ${own}, whose entry it is in, got ${show(where)}`;
    refuse(at, message, 'resource-namespace');
  }
}
