import type { LabelSelector } from '../../../schema/language.ts';
import type { OperatorKind } from './kind-spec.ts';

/** An issuer of cert-manager. */
export interface IssuerName {
  readonly name: string;
  /** @default 'Issuer', in the namespace of the operator */
  readonly kind?: 'Issuer' | 'ClusterIssuer';
}

/** A kind that the operator converts between its versions. */
export interface OperatorConversion {
  /** One of `owned`. */
  readonly kind: OperatorKind;
  /** @default - /convert/<plural>.<group>, as the runtime's */
  readonly path?: string;
}

/** The requests that a webhook handles. */
export interface AdmissionRule {
  /** '' is the core group. */
  readonly groups: readonly string[];
  readonly versions: readonly string[];
  /** Plurals, or subresources such as `pods/status`. */
  readonly resources: readonly string[];
  readonly operations: readonly ('CREATE' | 'UPDATE' | 'DELETE' | 'CONNECT')[];
  /** @default '*' */
  readonly scope?: 'Cluster' | 'Namespaced' | '*';
}

/** A webhook that the API server calls before it stores an object. */
export interface OperatorAdmission {
  /** A name with two dots or more, such as `owners.shops.example.com`. */
  readonly name: string;
  /** @default - /validate/<plural>.<group> of its first rule, or /mutate/..., as the runtime's */
  readonly path?: string;
  readonly rules: readonly AdmissionRule[];
  /** What happens to requests if the webhook does not answer. @default 'Fail' */
  readonly failurePolicy?: 'Fail' | 'Ignore';
  /** @default 'None' */
  readonly sideEffects?: 'None' | 'NoneOnDryRun';
  /** Seconds, from 1 to 30. @default 10 */
  readonly timeout?: number;
  /** @default 'Equivalent' */
  readonly matchPolicy?: 'Equivalent' | 'Exact';
  /**
   * The namespaces whose objects it handles.
   * @default - the watched namespaces; for kinds that are not owned, all but the operator's own, so
   * that its pods never wait for themselves
   */
  readonly namespaceSelector?: LabelSelector;
  /** @default - all objects */
  readonly objectSelector?: LabelSelector;
  /** CEL expressions, which must all be true. @default - none */
  readonly matchConditions?: readonly { readonly name: string; readonly expression: string }[];
}

/** A webhook that may change objects. */
export interface OperatorMutation extends OperatorAdmission {
  /** Whether it is called again if another webhook changes the object after it. @default 'Never' */
  readonly reinvocationPolicy?: 'Never' | 'IfNeeded';
}

/** The webhooks that API servers call. */
export interface OperatorWebhooks {
  /** @default 9443 */
  readonly port?: number;
  /**
   * What makes the certificate and writes `caBundle`.
   *
   * - `operator`: the operator itself (`SharedCertificates`). It has rights for the Secret
   *   `<name>-webhooks`, which is rendered empty.
   * - `cert-manager`: cert-manager, by an Issuer of the operator's own or an existing one. The pods
   *   find `tls.crt` and `tls.key` in /tmp/k8s-webhook-server/serving-certs, where OLM also mounts
   *   them.
   */
  readonly certificates: 'operator' | 'cert-manager' | { readonly issuer: IssuerName };
  readonly conversion?: readonly OperatorConversion[];
  readonly validating?: readonly OperatorAdmission[];
  readonly mutating?: readonly OperatorMutation[];
}
