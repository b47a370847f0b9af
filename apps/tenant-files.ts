import { statSync } from 'node:fs';
import { tenant as tenantKind } from '../crds/tenant.ts';
import type { Delegation } from '../model/delegation.ts';
import { DeclarationFiles } from './declaration-files.ts';

/** The number of searches in all texts that take as long as reading all files. */
const MAX_SEARCHES = 10;

/** Finds the files that declare tenants. For a few tenants it reads only the files that mention them. */
export class TenantFiles {
  readonly #files: DeclarationFiles | undefined;
  /** The valid tenants of each file that was read. */
  readonly #tenants = new Map<string, ReadonlySet<string>>();
  readonly #found = new Map<string, string | undefined>();
  #all: ReadonlyMap<string, string> | undefined;

  /**
   * @param folder the folder of tenants, which may be missing
   * @param delegation who may include which files; undefined while the platform has errors
   */
  constructor(folder: string, delegation: Delegation | undefined) {
    const isThere = statSync(folder, { throwIfNoEntry: false })?.isDirectory();
    this.#files = isThere ? new DeclarationFiles(folder, delegation) : undefined;
  }

  /**
   * Returns the first file that declares a tenant without a mistake, below the folder of tenants; undefined if there is
   * none.
   */
  fileOf(tenant: string): string | undefined {
    if (this.#all === undefined && this.#found.size >= MAX_SEARCHES) this.#all = this.#readAll();
    if (this.#all) return this.#all.get(tenant);
    if (!this.#found.has(tenant)) this.#found.set(tenant, this.#search(tenant));
    return this.#found.get(tenant);
  }

  #search(tenant: string): string | undefined {
    return this.#files?.names.find(
      (file) => this.#files?.mayHold(file, tenant) && this.#tenantsIn(file).has(tenant),
    );
  }

  #readAll(): ReadonlyMap<string, string> {
    const found = new Map<string, string>();
    for (const file of this.#files?.names ?? [])
      for (const name of this.#tenantsIn(file)) if (!found.has(name)) found.set(name, file);
    return found;
  }

  #tenantsIn(file: string): ReadonlySet<string> {
    const known = this.#tenants.get(file);
    if (known) return known;
    const declared = this.#files?.read(file).declared ?? [];
    const names = declared.filter(({ kind }) => kind === tenantKind.kind).map(({ name }) => name);
    const tenants = new Set(names);
    this.#tenants.set(file, tenants);
    return tenants;
  }
}
