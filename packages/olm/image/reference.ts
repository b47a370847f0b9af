/**
 * The syntax of image names, as Docker and OLM parse them.
 * Source: https://github.com/distribution/reference/tree/v0.6.0
 */

const COMPONENT = '(?:[a-zA-Z0-9]|[a-zA-Z0-9][a-zA-Z0-9-]*[a-zA-Z0-9])';
const HOST = `(?:${COMPONENT}(?:\\.${COMPONENT})*|\\[[a-fA-F0-9:]+\\])(?::[0-9]+)?`;
const PART = '[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*';
const TAG = '\\w[\\w.-]{0,127}';
const DIGEST = '[A-Za-z][A-Za-z0-9]*(?:[-_+.][A-Za-z][A-Za-z0-9]*)*:[0-9a-fA-F]{32,}';

const reference = new RegExp(
  `^(?:${HOST}/)?(${PART}(?:/${PART})*)(?::(${TAG}))?(?:@(${DIGEST}))?$`,
);

/** The maximum number of characters without host, tag and digest. */
const MAX_REPOSITORY_LENGTH = 255;

const digests = [/^sha256:[a-f0-9]{64}$/, /^sha384:[a-f0-9]{96}$/, /^sha512:[a-f0-9]{128}$/];

export const AN_IMAGE =
  "an image such as 'quay.io/example/redis:v1.2.3' or '...@sha256:' with 64 hexadecimal digits";

/** Whether a text is the name of an image: a repository with or without host, tag and digest. */
export function isImage(text: string): boolean {
  if (/^[a-f0-9]{64}$/.test(text)) return false;
  const [, repository, , digest] = reference.exec(withHost(text)) ?? [];
  if (repository === undefined || repository.length > MAX_REPOSITORY_LENGTH) return false;
  return digest === undefined || digests.some((one) => one.test(digest));
}

/** Expands `redis` to `docker.io/library/redis`: the first part is a host if it looks like one. */
function withHost(text: string): string {
  const slash = text.indexOf('/');
  if (slash < 0) return `docker.io/library/${text}`;
  const first = text.slice(0, slash);
  const isHost = first === 'localhost' || /[.:]/.test(first) || first !== first.toLowerCase();
  return isHost ? text : `docker.io/${text}`;
}

/** Whether an image is referenced by its digest, so that it is always the same one. */
export function isPinned(image: string): boolean {
  return image.includes('@');
}

/**
 * Whether servers of catalogs accept a text as the name of an image. They accept neither IPv6 addresses as hosts, nor
 * hosts with upper-case letters and neither a dot nor a port.
 *
 * Source: https://pkg.go.dev/go.podman.io/image/v5/docker/reference
 */
export function isCatalogImage(text: string): boolean {
  const [first = '', ...rest] = text.split('/');
  const isBareHost = rest.length > 0 && !/[.:]/.test(first) && first !== first.toLowerCase();
  return !isBareHost && !text.startsWith('[') && isImage(text);
}
