import { isMapping } from '../../kube/mapping.ts';
import { joined, listAt, mappingAt, nameOf, textAt, type Built, type Tree } from './tree.ts';

const KINDS = { configMapGenerator: 'ConfigMap', secretGenerator: 'Secret' } as const;

type Data = Record<string, string>;

/**
 * Makes the ConfigMaps and Secrets that a kustomization generates, or lays them over those that there are.
 *
 * Source: https://kubectl.docs.kubernetes.io/references/kustomize/kustomization/configmapgenerator/
 */
export function generate(
  objects: Built[],
  said: Readonly<Record<string, unknown>>,
  folder: string,
  tree: Tree,
  file: string,
): void {
  for (const [field, kind] of Object.entries(KINDS)) {
    for (const entry of listAt(said, field)) {
      const made = generated(entry, kind, mappingAt(said, 'generatorOptions'), folder, tree, file);
      const behavior = textAt(entry, 'behavior') || 'create';
      if (behavior === 'create') objects.push(made);
      else overlay(objects, made, behavior, tree);
    }
  }
}

function generated(
  entry: unknown,
  kind: string,
  common: Record<string, unknown> | undefined,
  folder: string,
  tree: Tree,
  file: string,
): Built {
  const own = mappingAt(entry, 'options');
  const options = { ...common, ...own };
  const metadata: Record<string, unknown> = { name: textAt(entry, 'name') };
  const namespace = textAt(entry, 'namespace');
  if (namespace !== '') metadata['namespace'] = namespace;
  for (const field of ['labels', 'annotations']) {
    const pairs = { ...mappingAt(common, field), ...mappingAt(own, field) };
    if (Object.keys(pairs).length > 0) metadata[field] = pairs;
  }
  const isSecret = kind === 'Secret';
  const value = {
    apiVersion: 'v1',
    kind,
    metadata,
    ...dataOf(contents(entry, folder, tree, file), isSecret),
    ...(isSecret && { type: textAt(entry, 'type') || 'Opaque' }),
    ...(options['immutable'] === true && { immutable: true }),
  };
  const isHashed = options['disableNameSuffixHash'] !== true;
  return { value, file, names: [textAt(entry, 'name')], namespaces: [namespace], isHashed };
}

/** By key, as bytes. */
function contents(
  entry: unknown,
  folder: string,
  tree: Tree,
  file: string,
): ReadonlyMap<string, Uint8Array> {
  const found = new Map<string, Uint8Array>();
  const encoder = new TextEncoder();
  const take = (line: string): void => {
    const at = line.indexOf('=');
    if (at > 0) found.set(line.slice(0, at), encoder.encode(unquoted(line.slice(at + 1))));
    else tree.lost(file, `is not carried over: ${line} of a generator must be a key and a value`);
  };
  const bytesOf = (path: string): Uint8Array => tree.bytes(joined(folder, path) ?? path);
  for (const literal of listAt(entry, 'literals')) take(String(literal));
  for (const said of listAt(entry, 'files')) {
    const [, key, path = ''] = /^(?:([^=]+)=)?(.*)$/s.exec(String(said)) ?? [];
    found.set(key ?? path.slice(path.lastIndexOf('/') + 1), bytesOf(path));
  }
  const one = textAt(entry, 'env');
  for (const path of [...listAt(entry, 'envs'), ...(one === '' ? [] : [one])]) {
    const lines = new TextDecoder().decode(bytesOf(String(path))).split(/\r?\n/);
    for (const line of lines) {
      const text = line.trimStart();
      if (text === '' || text.startsWith('#')) continue;
      const at = text.indexOf('=');
      if (at > 0) found.set(text.slice(0, at), encoder.encode(text.slice(at + 1)));
      else tree.lost(String(path), `is not carried over: ${text} is of the environment`);
    }
  }
  return found;
}

function unquoted(text: string): string {
  return /^(["'])(.*)\1$/s.exec(text)?.[2] ?? text;
}

function dataOf(found: ReadonlyMap<string, Uint8Array>, isSecret: boolean): object {
  const data: Data = {};
  const binaryData: Data = {};
  for (const [key, bytes] of found) {
    const encoded = Buffer.from(bytes).toString('base64');
    const text = isSecret ? encoded : textOf(bytes);
    if (text === undefined) binaryData[key] = encoded;
    else data[key] = text;
  }
  return {
    ...(Object.keys(data).length > 0 && { data }),
    ...(Object.keys(binaryData).length > 0 && { binaryData }),
  };
}

function textOf(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function overlay(objects: Built[], made: Built, behavior: string, tree: Tree): void {
  const { kind } = made.value;
  const old = objects.find((one) => one.value['kind'] === kind && one.names.includes(nameOf(made)));
  if (!old || !['merge', 'replace'].includes(behavior)) {
    const got = old ? `got behavior ${behavior}` : 'got none of that name';
    tree.lost(made.file, `must ${behavior} a ${String(kind)} that there is, ${got}`);
    return;
  }
  for (const field of ['data', 'binaryData']) {
    const above = mappingAt(made.value, field);
    const below = behavior === 'merge' ? mappingAt(old.value, field) : undefined;
    if (above || below) old.value[field] = { ...below, ...above };
    else delete old.value[field];
  }
  for (const field of ['labels', 'annotations']) {
    const above = mappingAt(made.value, 'metadata', field);
    const metadata = old.value['metadata'];
    if (above && isMapping(metadata)) {
      Object.assign(metadata, { [field]: { ...mappingAt(metadata, field), ...above } });
    }
  }
  if (made.isHashed !== true) delete old.isHashed;
}
