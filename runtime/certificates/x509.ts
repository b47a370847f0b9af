import type * as encoding from '@peculiar/asn1-schema';
import type * as structures from '@peculiar/asn1-x509';
import { asn1Schema, asn1X509 } from '../packages/optional.cjs';

/** The ASN.1 packages that write certificates (RFC 5280). Only programs that issue certificates need them. */
export type X509 = Omit<typeof structures, 'default'> &
  Pick<typeof encoding, 'AsnConvert' | 'OctetString'>;

/** @throws {Error} if the packages are not installed; the message contains the command to install them */
export async function loadX509(): Promise<X509> {
  try {
    const [{ AsnConvert, OctetString }, structures] = await Promise.all([asn1Schema(), asn1X509()]);
    return { ...structures, AsnConvert, OctetString };
  } catch (cause) {
    const install = 'npm install @peculiar/asn1-schema@^2.11.0 @peculiar/asn1-x509@^2.11.0';
    throw new Error(`certificates can be made when two packages are installed: ${install}`, {
      cause,
    });
  }
}
