import { isImage } from './reference.ts';

/**
 * Whether a text names an image to who serves catalogs: addresses of IPv6 are no hosts to them, nor is
 * what has upper-case letters and neither a dot nor a port.
 *
 * Source: https://pkg.go.dev/go.podman.io/image/v5/docker/reference
 */
export function isCatalogImage(text: string): boolean {
  const [first = '', ...rest] = text.split('/');
  const isBareHost = rest.length > 0 && !/[.:]/.test(first) && first !== first.toLowerCase();
  return !isBareHost && !text.startsWith('[') && isImage(text);
}
