import { definitionOf, type Definition } from './definition.ts';
import { readAsWritten } from './fields/written-reading.ts';
import { API_VERSION, stripClusterFields, formatWrongVersion } from './manifests/document.ts';
import { errorAt, type Finding } from '../kube/finding.ts';
import { show } from '../kube/problem.ts';

/**
 * Returns the definition in a parsed document, as `readDefinitions` does. Use it if the document
 * has been read already and only the schemas are needed.
 * @returns the reason as a finding if the schemas cannot be used
 */
export function readDefinition(value: Readonly<Record<string, unknown>>): Definition | Finding {
  const { apiVersion } = value;
  if (apiVersion !== API_VERSION) {
    return errorAt(['apiVersion'], formatWrongVersion(apiVersion), 'version');
  }
  const faults: Finding[] = [];
  const manifest = readAsWritten(stripClusterFields(value), {
    wrong: (path, message, rule) => faults.push(errorAt(path, message, rule)),
    dropped: () => {},
    assumed: () => {},
  });
  const [fault] = faults;
  if (fault) return fault;
  const { preserveUnknownFields, versions } = manifest.spec;
  if (preserveUnknownFields === true) {
    const message = 'must be false, got true, which the API server refuses';
    return errorAt(['spec', 'preserveUnknownFields'], message, 'unsupported');
  }
  const bare = versions.findIndex(({ schema }) => schema?.openAPIV3Schema === undefined);
  if (bare >= 0) {
    const at = ['spec', 'versions', bare, 'schema', 'openAPIV3Schema'];
    return errorAt(at, 'must be a schema, got nothing', 'required');
  }
  const names = versions.map(({ name }) => name);
  const again = names.findIndex((name, i) => names.indexOf(name) < i);
  if (again >= 0) {
    const message = `must be a version of its own, got ${show(names[again])} again`;
    return errorAt(['spec', 'versions', again, 'name'], message, 'versions-unique');
  }
  return definitionOf(manifest);
}
