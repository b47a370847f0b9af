import { enumOf, object } from '@tenantry/crd/schema/language';
import { named } from './named.ts';

/** The restrictions that a class can set for pods and volume claims, each enforced by an admission policy. */
export const hardening = named(
  'Hardening',
  object(
    'What pods and volume claims of the tenants must be besides Pod Security. Admission policies hold it, against everybody.',
    {
      imagePullPolicy: enumOf(
        'Always: each pod asks the registry anew, so that nobody runs a private image which somebody else left on the node.',
        ['Always'],
        { absent: 'as each container says' },
      ),
      imageVersion: enumOf(
        'Tag: each image has a tag other than `latest`, or a digest. Digest: each image has a digest, so that nobody can replace what runs.',
        ['Tag', 'Digest'],
        { absent: 'as each image says' },
      ),
      storage: enumOf(
        'Claims: data lives in claims for new volumes alone, of StorageClasses that delete a volume with its claim.',
        ['Claims'],
        { absent: 'whatever Pod Security lets in' },
      ),
      podDefaults: enumOf(
        'Restricted: what Pod Security restricted asks for is filled in where a pod says nothing. Needs Kubernetes 1.36.',
        ['Restricted'],
        { absent: 'nothing is filled in' },
      ),
    },
  ),
);

export type { Hardening } from './types.ts';
