/**
 * Packages that need not be installed. Each is asked for by a `require` within a `try`, by which bundlers
 * know that one may be missing: it is then looked for when the program runs, and what is there is bundled.
 */

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

exports.asn1Schema = async () => {
  try {
    return require('@peculiar/asn1-schema');
  } catch (error) {
    return Promise.reject(error);
  }
};

exports.asn1X509 = async () => {
  try {
    return require('@peculiar/asn1-x509');
  } catch (error) {
    return Promise.reject(error);
  }
};

exports.promClient = async () => {
  try {
    return require('prom-client');
  } catch (error) {
    return Promise.reject(error);
  }
};
