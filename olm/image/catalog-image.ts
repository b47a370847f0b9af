import { isImage } from './reference.ts';

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
