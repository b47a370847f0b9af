import { importDefinitions } from '../../import.ts';
import type { ImportedModule } from '../../import/module.ts';
import { readDefinitions } from '../../manifests.ts';

/** A CustomResourceDefinition with one version; `schema` is that of the whole object. */
export function crd(schema: object, spec: object = {}): object {
  const names = { kind: 'Box', plural: 'boxes' };
  const version = { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: schema } };
  const whole = { group: 'example.com', names, scope: 'Namespaced', versions: [version], ...spec };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${whole.names.plural}.${whole.group}` },
    spec: whole,
  };
}

/** The module of a manifest, which has no problem. */
export function imported(manifest: object): ImportedModule {
  const { definitions, problems } = readDefinitions('crd.json', JSON.stringify(manifest));
  const found = definitions.map((located) => ({ located, source: 'crd.json' }));
  const result = importDefinitions(found);
  const [problem] = [...problems, ...result.problems];
  if (problem) throw new Error(`${problem.path} ${problem.message}`);
  return result.modules[0]!;
}

/** The types of a schema of a field `spec`, without notes and without the whole object. */
export function typesOf(spec: object): string {
  const { text } = imported(crd({ type: 'object', properties: { spec } }));
  const types = text.slice(text.indexOf('export interface BoxInput'), text.indexOf('// prettier'));
  return types
    .replaceAll(/^ *\/\*\*[^]*?\*\/\n/gm, '')
    .replace(/^export interface Box(?:Input|Stored) \{[^}]*\}\n\n/, '')
    .replace(/^export interface BoxStored \{[^}]*\}\n\n/, '')
    .trim();
}

/** Whether the types of a module, its comments and literals aside, say `any` somewhere. */
export function hasAny(text: string): boolean {
  const code = text
    .slice(0, text.indexOf('// prettier-ignore'))
    .replaceAll(/\/\*[^]*?\*\/|\/\/.*|'(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*"/g, '');
  return /\bany\b(?!\??:)/.test(code);
}
