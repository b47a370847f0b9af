/** The registry of an image whose name begins with none. */
const DEFAULT_REGISTRY = 'docker.io';

/** Images of the default registry without a folder are in this one. */
const DEFAULT_FOLDER = 'library';

/** A former name of the default registry, which still means it. */
const FORMER_REGISTRY = 'index.docker.io';

/** The parts of a path of a repository, as registries define them. */
const COMPONENT = '[a-z0-9]+((\\.|_|__|-+)[a-z0-9]+)*';

/**
 * Resolves the repository of an image as containerd does: `nginx` is `docker.io/library/nginx`, `acme/web:1` is
 * `docker.io/acme/web`, and `localhost/web` and `registry:5000/web@sha256:…` begin with a registry. CRI-O resolves a name
 * without a registry by its own configuration, which nobody outside of the node knows.
 *
 * Undefined for what names no repository. That includes the id of an image (`sha256:…`), by which a pod would run what
 * another pod has left on the node, from whatever registry.
 * Sources: github.com/distribution/reference, github.com/opencontainers/distribution-spec
 */
export function resolveRepository(image: string): string | undefined {
  const [name = ''] = image.split('@');
  const end = name.lastIndexOf(':') > name.lastIndexOf('/') ? name.lastIndexOf(':') : name.length;
  const full = completeRepository(name.slice(0, end));
  const isId = image.startsWith('sha256:');
  return !isId && isRepository(full) ? full : undefined;
}

/** Returns a name with its registry and folder. */
export function completeRepository(name: string): string {
  const [first = ''] = name.split('/');
  const hasRegistry = name.includes('/') && isRegistry(first);
  const full = hasRegistry ? name : `${DEFAULT_REGISTRY}/${name}`;
  const current = full.startsWith(`${FORMER_REGISTRY}/`)
    ? DEFAULT_REGISTRY + full.slice(FORMER_REGISTRY.length)
    : full;
  const [registry, ...folders] = current.split('/');
  const isBare = registry === DEFAULT_REGISTRY && folders.length === 1 && folders[0] !== '*';
  return isBare ? `${DEFAULT_REGISTRY}/${DEFAULT_FOLDER}/${folders[0]}` : current;
}

/** Whether the first part of a name is a registry and no folder. */
export function isRegistry(text: string): boolean {
  return /[.:A-Z]/.test(text) || text === 'localhost';
}

const repository = new RegExp(`^[^/]+(/${COMPONENT})+$`);

const isRepository = (name: string): boolean => repository.test(name);

/** Whether an image is from one of the repositories: `ghcr.io/acme/web`, `ghcr.io/acme/*`, or `*` for every image. */
export function isListedImage(patterns: readonly string[], image: string): boolean {
  if (patterns.includes('*')) return true;
  const found = resolveRepository(image);
  if (found === undefined) return false;
  return patterns.map(completePattern).some((pattern) => {
    return pattern.endsWith('/*') ? found.startsWith(pattern.slice(0, -1)) : found === pattern;
  });
}

/** Returns a pattern as the policy compares it: `docker.io/nginx` means `docker.io/library/nginx`. */
export function completePattern(pattern: string): string {
  return pattern === '*' ? pattern : completeRepository(pattern);
}

/** Returns CEL for the repositories of images, in the order of the images; '' for what names none. */
export function celRepositories(images: string): string {
  const untagged =
    "i.lastIndexOf(':') > i.lastIndexOf('/') ? i.substring(0, i.lastIndexOf(':')) : i";
  const first = "i.split('/')[0]";
  const hasRegistry = `i.contains('/') && (${first}.contains('.') || ${first}.contains(':') || ${first} == 'localhost' || ${first}.matches('[A-Z]'))`;
  const current = `i.startsWith('${FORMER_REGISTRY}/') ? '${DEFAULT_REGISTRY}' + i.substring(${FORMER_REGISTRY.length}) : i`;
  const isBare = `i.startsWith('${DEFAULT_REGISTRY}/') && size(i.split('/')) == 2`;
  return [
    images,
    "map(i, i.startsWith('sha256:') ? '' : i.split('@')[0])",
    `map(i, ${untagged})`,
    `map(i, ${hasRegistry} ? i : '${DEFAULT_REGISTRY}/' + i)`,
    `map(i, ${current})`,
    `map(i, ${isBare} ? '${DEFAULT_REGISTRY}/${DEFAULT_FOLDER}/' + i.substring(${DEFAULT_REGISTRY.length + 1}) : i)`,
    `map(i, i.matches('^[^/]+(/${COMPONENT.replaceAll('\\', '\\\\')})+$') ? i : '')`,
  ].join('.');
}

/** Whether an image has a version that is at least this exact: a tag other than `latest`, or a digest. */
export function hasVersion(image: string, least: 'Tag' | 'Digest'): boolean {
  if (image.includes('@')) return true;
  const end = image.lastIndexOf(':');
  return least === 'Tag' && end > image.lastIndexOf('/') && image.slice(end + 1) !== 'latest';
}

/** Returns CEL that tests whether an image `n` has a version that is at least as exact as `least`, CEL for a text. */
export function celHasVersion(least: string): string {
  const isTagged =
    "n.lastIndexOf(':') > n.lastIndexOf('/') && n.substring(n.lastIndexOf(':') + 1) != 'latest'";
  return `n.contains('@') || (${least} == 'Tag' && ${isTagged})`;
}
