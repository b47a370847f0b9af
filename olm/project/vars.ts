import { isMapping } from '../../kube/mapping.ts';
import { isTarget } from './patches.ts';
import { fieldAt, keysOf } from './replacements.ts';
import { joined, listAt, mappingAt, textAt, type Built, type Editable, type Tree } from './tree.ts';

interface Var {
  readonly said: unknown;
  readonly file: string;
}

interface Reference {
  readonly kind: string;
  readonly path: string;
}

const pods = ['spec', 'spec/template/spec', 'spec/jobTemplate/spec/template/spec'];
const inContainers = ['args', 'command', 'env/value', 'volumeMounts/mountPath'];

/** Where kustomize replaces vars without being told. */
const usual: readonly Reference[] = [
  ...pods.flatMap((pod) =>
    ['containers', 'initContainers'].flatMap((list) =>
      inContainers.map((field) => ({ kind: '', path: `${pod}/${list}/${field}` })),
    ),
  ),
  ...['metadata/labels', 'metadata/annotations', 'spec/template/metadata/annotations'].map(
    (path) => ({ kind: '', path }),
  ),
  { kind: 'Service', path: 'spec/ports/port' },
  { kind: 'Service', path: 'spec/ports/targetPort' },
  { kind: 'Ingress', path: 'spec/rules/host' },
  { kind: 'Ingress', path: 'spec/tls/hosts' },
  { kind: 'Ingress', path: 'spec/tls/secretName' },
];

/**
 * The `vars` of kustomizations, and where they stand: `$(NAME)` is a field of an object as it is when all is built.
 *
 * Source: https://kubectl.docs.kubernetes.io/references/kustomize/kustomization/vars/
 */
export class Vars {
  readonly #vars = new Map<string, Var>();
  readonly #references: Reference[] = [...usual];

  /** Takes what a kustomization says. */
  add(said: Editable, folder: string, tree: Tree, file: string): void {
    for (const one of listAt(said, 'vars'))
      this.#vars.set(textAt(one, 'name'), { said: one, file });
    for (const path of listAt(said, 'configurations')) {
      for (const document of tree.documents(joined(folder, String(path)) ?? String(path))) {
        for (const reference of listAt(document, 'varReference')) {
          this.#references.push({
            kind: textAt(reference, 'kind'),
            path: textAt(reference, 'path'),
          });
        }
      }
    }
  }

  /** Replaces them in objects, which have their names by now. */
  replace(objects: readonly Built[], tree: Tree): void {
    if (this.#vars.size === 0) return;
    const values = new Map<string, unknown>();
    for (const [name, { said, file }] of this.#vars) {
      const value = valueOf(said, objects);
      if (value !== undefined) values.set(name, value);
      else tree.lost(file, `is not carried over: the var ${name} names no field of an object`);
    }
    for (const { value } of objects) {
      for (const { kind, path } of this.#references) {
        if (kind === '' || kind === value['kind']) replaceIn(value, path.split('/'), values);
      }
    }
  }
}

function valueOf(said: unknown, objects: readonly Built[]): unknown {
  const reference = mappingAt(said, 'objref');
  const apiVersion = textAt(reference, 'apiVersion');
  const at = apiVersion.lastIndexOf('/');
  const target = {
    ...(apiVersion !== '' && {
      group: apiVersion.slice(0, Math.max(at, 0)),
      version: apiVersion.slice(at + 1),
    }),
    ...reference,
  };
  const from = objects.find((one) => isTarget(one, target));
  const field = mappingAt(said, 'fieldref') ?? {};
  const path = textAt(field, 'fieldpath') || textAt(field, 'fieldPath') || 'metadata.name';
  return from && fieldAt(from.value, keysOf(path));
}

/** Lists are gone through, and mappings at the end of the path. */
function replaceIn(
  holder: unknown,
  [key, ...rest]: readonly string[],
  values: ReadonlyMap<string, unknown>,
): void {
  if (key === undefined) return;
  if (Array.isArray(holder)) {
    for (const item of holder) replaceIn(item, [key, ...rest], values);
    return;
  }
  if (!isMapping(holder) || holder[key] === undefined) return;
  if (rest.length > 0) replaceIn(holder[key], rest, values);
  else (holder as Editable)[key] = replaced(holder[key], values);
}

function replaced(value: unknown, values: ReadonlyMap<string, unknown>): unknown {
  if (typeof value === 'string') return expanded(value, values);
  if (Array.isArray(value)) return value.map((item: unknown) => replaced(item, values));
  if (!isMapping(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key,
      typeof inner === 'string' ? expanded(inner, values) : inner,
    ]),
  );
}

/** `$(NAME)` alone is the value, of whatever type; `$$` is one that is none; what is unknown stays. */
function expanded(text: string, values: ReadonlyMap<string, unknown>): unknown {
  const whole = /^\$\(([^()$]+)\)$/.exec(text)?.[1];
  if (whole !== undefined) return values.get(whole) ?? text;
  return text.replaceAll(/\$(?:\$|\(([^()$]+)\))/g, (all, name?: string) => {
    if (name === undefined) return '$';
    const value = values.get(name);
    return value === undefined ? all : String(value);
  });
}
