/** What Argo CD must know of a kind, beyond what it knows of any: a part of its ConfigMap `argocd-cm`. */
export interface ResourceCustomization {
  readonly group: string;
  readonly kind: string;
  /** Lua that returns how an object stands. Argo CD opens the libraries base, table and a part of os alone. */
  readonly health?: string;
  /** What people can do to an object by a button. */
  readonly actions?: ResourceActions;
  /** Fields whose changes make Argo CD look at no Application again. */
  readonly ignoreResourceUpdates?: { readonly jsonPointers: readonly string[] };
}

/** The actions of a kind. */
export interface ResourceActions {
  /** Lua that returns which actions there are for an object, and which of them are of no use now. */
  readonly discovery: string;
  readonly definitions: readonly ResourceAction[];
}

/** One action. */
export interface ResourceAction {
  readonly name: string;
  /** Lua that returns the object as it shall be; Argo CD sends the difference as a merge patch. */
  readonly lua: string;
}
