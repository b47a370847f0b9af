import { warningAt } from '../kube/finding.ts';
import { isMapping } from '../kube/mapping.ts';
import { show, type Exemption } from '../kube/problem.ts';
import type { TenantClassDeclaration } from '../constructs/tenant/declaration.ts';
import type { Fleet } from '../constructs/tenant/fleet.ts';
import type { HeldException } from '../constructs/tenant/held-exceptions.ts';
import type { Source } from '../synth/files.ts';
import type { TenantFiles } from './tenants.ts';

/**
 * Renders the exceptions of the classes of a fleet and warns about questionable ones. It runs when
 * all tenants are known, including those declared in TypeScript.
 */
export function createExemptionSource(fleet: Fleet, files: TenantFiles): Source {
  return {
    synthesize(sink) {
      const held = Map.groupBy(fleet.exceptions(), ({ className }) => className);
      for (const klass of fleet.classes) {
        // While there are problems, tenants are missing and the warnings would be wrong.
        const odd = files.isWhole ? fleet.exceptionWarnings(klass) : [];
        for (const finding of odd) sink.warning(files.locateFinding(klass.name, finding));
        const ofClass = (held.get(klass.name) ?? []).toSorted(byPlace);
        for (const one of ofClass) sink.exemption(exemption(klass, one, files));
      }
    },
  };
}

function byPlace(one: HeldException, other: HeldException): number {
  return Number(one.path[2]) - Number(other.path[2]);
}

function exemption(
  { name, spec }: TenantClassDeclaration,
  { path, tenant, value }: HeldException,
  files: TenantFiles,
): Exemption {
  const exception = spec.exceptions![Number(path[2])]!;
  const nothing = warningAt(path, '', 'exception-unused');
  const { message: _message, rule: _rule, ...place } = files.locateFinding(name, nothing);
  return {
    ...place,
    whom: tenant,
    what: wordsOf(value),
    reason: exception.reason.trim().replaceAll(/\s+/g, ' '),
  };
}

/** Formats a value: `810`, `ConfigMap`, `group argoproj.io, kind Application`. */
function wordsOf(value: unknown): string {
  if (!isMapping(value)) return show(value);
  return Object.entries(value)
    .map(
      ([key, inner]) =>
        `${key} ${Array.isArray(inner) ? inner.map(String).join(' ') : show(inner)}`,
    )
    .join(', ');
}
