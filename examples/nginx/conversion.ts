import { conversions } from '@tenantry/crd';
import { storedAsV1alpha2, isPortName } from './definition.ts';

/** The annotation of v1alpha1 objects with the name of the port, for which that version has no field. */
const PORT_NAME = 'operator.example.com/port-name';

/**
 * Converts between the versions. The one port of v1alpha1 is the first port of v1alpha2. An annotation
 * keeps its name when the number changes, as Services may refer to it. The other ports are kept, and
 * restored.
 */
export const nginxConversions = conversions(storedAsV1alpha2, 'v1alpha2', {
  v1alpha1: {
    toHub({ metadata, spec: { port, ...spec }, status }) {
      const name = metadata.annotations?.[PORT_NAME] ?? '';
      const first = { containerPort: port, ...(isPortName(name) && { name }) };
      return {
        metadata: named(metadata),
        spec: { ports: [first], ...spec },
        ...(status && { status }),
      };
    },
    fromHub({ metadata, spec: { ports, ...spec }, status }) {
      // A conversion must accept everything that may be stored: otherwise no list could be read.
      const { containerPort: port, name } = ports[0] ?? { containerPort: 8080 };
      return {
        metadata: named(metadata, name),
        spec: { port, ...spec },
        ...(status && { status }),
      };
    },
    keep: ['spec.ports'],
  },
});

interface Annotated {
  readonly annotations?: Readonly<Record<string, string>>;
}

/** Sets or removes the annotation with the name of the port. */
function named({ annotations }: Annotated, name?: string): Annotated {
  if (name === undefined && annotations?.[PORT_NAME] === undefined) return {};
  const { [PORT_NAME]: _, ...others } = annotations ?? {};
  return { annotations: { ...others, ...(name !== undefined && { [PORT_NAME]: name }) } };
}
