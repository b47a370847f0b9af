/**
 * Packages that need not be installed. Each is asked for by a `require` within a `try`, by which bundlers
 * know that one may be missing: it is then looked for when the program runs, and what is there is bundled.
 */

const certificates =
  'certificates can be made when two packages are installed: ' +
  'npm install @peculiar/asn1-schema@^2.11.0 @peculiar/asn1-x509@^2.11.0';

exports.clientNode = async () => {
  try {
    return require('@kubernetes/client-node');
  } catch (error) {
    return Promise.reject(error);
  }
};

exports.openTelemetry = async () => {
  try {
    return require('@opentelemetry/api');
  } catch (error) {
    return Promise.reject(error);
  }
};

exports.asn1Schema = () => {
  try {
    return require('@peculiar/asn1-schema');
  } catch (cause) {
    throw new Error(certificates, { cause });
  }
};

exports.asn1X509 = () => {
  try {
    return require('@peculiar/asn1-x509');
  } catch (cause) {
    throw new Error(certificates, { cause });
  }
};

exports.promClient = async () => {
  try {
    return require('prom-client');
  } catch (error) {
    return Promise.reject(error);
  }
};
