import type { Body } from '../../testing/controlplane/objects.ts';

/** What Argo CD says of one object of an Application. */
export interface ApplicationResource {
  readonly group?: string;
  readonly kind: string;
  readonly namespace?: string;
  readonly name: string;
  /** 'Synced', 'OutOfSync' */
  readonly status?: string;
  /** It is no longer in Git. */
  readonly requiresPruning?: boolean;
  readonly health?: { readonly status?: string; readonly message?: string };
}

/** An Application of Argo CD, the fields that tests look at. */
export interface Application extends Body {
  readonly status?: {
    readonly sync?: { readonly status: string; readonly revision?: string };
    readonly health?: { readonly status?: string };
    readonly resources?: readonly ApplicationResource[];
    readonly conditions?: readonly { readonly type: string; readonly message: string }[];
    readonly operationState?: {
      /** 'Running', 'Succeeded', 'Failed', 'Error', 'Terminating' */
      readonly phase: string;
      readonly message?: string;
      readonly retryCount?: number;
    };
    readonly reconciledAt?: string;
  };
}

/** Synced and Healthy, with no operation that runs or failed, and at the revision, where one is given. */
export function isSettled({ operation, status }: Application, revision?: string): boolean {
  const { sync, health, operationState } = status ?? {};
  return (
    operation === undefined &&
    sync?.status === 'Synced' &&
    health?.status === 'Healthy' &&
    (operationState === undefined || operationState.phase === 'Succeeded') &&
    (revision === undefined || sync.revision === revision)
  );
}
