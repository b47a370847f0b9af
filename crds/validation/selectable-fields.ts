import { show, type Path } from '../../kube/problem.ts';
import type { JSONSchemaProps } from '../../schema/json-schema.ts';
import { findField } from '../../schema/cel.ts';
import type { Findings } from '../../kube/finding.ts';

const MOST = 8;

/** Checks the fields that `kubectl get --field-selector` can select by. */
export function checkSelectableFields(
  fields: readonly { readonly jsonPath?: string }[],
  schema: JSONSchemaProps | undefined,
  path: Path,
  findings: Findings,
  tooMany = false,
): void {
  const seen = new Set<string>();
  for (const [i, { jsonPath }] of fields.entries()) {
    const wrong = (must: string): void => {
      const message = `must ${must}, got ${show(jsonPath)}`;
      findings.addError([...path, i, 'jsonPath'], message, 'selectable-field');
    };
    if (jsonPath === undefined) {
      wrong("be a path such as '.spec.color'");
      continue;
    }
    const found = findField(jsonPath, schema ?? {}, { brackets: false });
    if ('must' in found) {
      wrong(found.must);
      continue;
    }
    if (found.names[0] === 'metadata') wrong('refer to a field outside of metadata');
    if (!['string', 'boolean', 'integer'].includes(found.schema?.type ?? '')) {
      wrong('refer to a string, a boolean or an integer');
    }
    const key = JSON.stringify(found.names);
    if (seen.has(key)) wrong('refer to a field that no other entry refers to');
    seen.add(key);
  }
  if (seen.size > MOST && !tooMany) {
    const message = `must have at most ${MOST} entries, got ${seen.size}`;
    findings.addError(path, message, 'selectable-fields-count');
  }
}
