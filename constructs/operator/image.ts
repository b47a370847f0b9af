/** The version of the package that renders; a test holds it to package.json. */
export const VERSION = '0.1.0';

/** Where the image of each version is, see docs/operator.md. */
export const IMAGE = `ghcr.io/tenantry/tenantry:${VERSION}`;
