import type { Command } from 'commander';

/** A module of `commands/`: adds arguments, options, help and action to its command. */
export interface CommandModule {
  /** @param load loads the module of another command, so that it has its options */
  configure(command: Command, load: (command: Command) => Promise<void>): void;
}

/** A command whose module is loaded when it is needed. */
export interface LazyCommand {
  readonly description: string;
  /** Whether the help leaves it out: it is for programs. Default: false */
  readonly isHidden?: boolean;
  load(): Promise<CommandModule>;
}

/** Commands with a common first word. */
export interface CommandGroup {
  readonly description: string;
  readonly commands: Readonly<Record<string, LazyCommand>>;
}

export type CommandEntry = LazyCommand | CommandGroup;

/** All commands, in the order of the help. A module is loaded when its command runs or shows its help. */
export const commandTree: Readonly<Record<string, CommandEntry>> = {
  init: {
    description: 'Write a new platform repository; prompts on a terminal.',
    load: () => import('./commands/init.ts'),
  },
  synth: {
    description: 'Render all tenants to the output folder, or change nothing.',
    load: () => import('./commands/synth.ts'),
  },
  check: {
    description: 'Validate the tenants and compare them with the output folder; write nothing.',
    load: () => import('./commands/check.ts'),
  },
  import: {
    description:
      'Declare existing namespaces as tenants, and prove that the objects stay the same.',
    load: () => import('./commands/import.ts'),
  },
  plan: {
    description:
      'List what a change does to the clusters, the riskiest effects first; write nothing.',
    load: () => import('./commands/plan.ts'),
  },
  review: {
    description:
      'Write the plan, its verdict and its problems to the pull or merge request of a pipeline.',
    commands: {
      approvals: {
        description: 'Print who approves the commit, for `tenantry plan --approved-by`.',
        load: () => import('./commands/review/approvals.ts'),
      },
      comment: {
        description: 'Write the plan as the one comment of the request, or update it.',
        load: () => import('./commands/review/comment.ts'),
      },
      status: {
        description: 'Set the verdict of the plan as a status of the commit.',
        load: () => import('./commands/review/status.ts'),
      },
      sarif: {
        description: 'Print the problems of a report in the format of code scanning (SARIF).',
        load: () => import('./commands/review/sarif.ts'),
      },
    },
  },
  promote: {
    description: 'Push the rendered output of a cluster to its environment branch.',
    load: () => import('./commands/promote.ts'),
  },
  eject: {
    description: 'Write the fleet as plain YAML that needs no Tenantry, and the steps that remain.',
    load: () => import('./commands/eject.ts'),
  },
  explain: {
    description:
      'Print every effective value of a tenant, and the layer, file and line that it is from.',
    load: () => import('./commands/explain.ts'),
  },
  tenant: {
    description:
      'List tenants, and print their network and owners (from files), state and drift (from a cluster).',
    commands: {
      list: {
        description: 'List the declared tenants; write nothing.',
        load: () => import('./commands/tenant/list.ts'),
      },
      status: {
        description:
          'Print the state of the tenants of a cluster, as the operator reports it; write nothing.',
        load: () => import('./commands/tenant/status.ts'),
      },
      drift: {
        description:
          'Print where a tenant of a cluster differs from its declaration; write nothing.',
        load: () => import('./commands/tenant/drift.ts'),
      },
      network: {
        description:
          'Print who can reach whom according to the rendered network policies; write nothing.',
        load: () => import('./commands/tenant/network.ts'),
      },
      codeowners: {
        description: 'Generate CODEOWNERS from spec.delegation of the platform file.',
        load: () => import('./commands/tenant/codeowners.ts'),
      },
      diagnose: {
        description: 'Print the state, versions and rights of the tenant operator; write nothing.',
        load: () => import('./commands/tenant/diagnose.ts'),
      },
    },
  },
  access: {
    description:
      'Answer who may do what, from rendered files or a cluster, with the path that grants it.',
    commands: {
      can: {
        description: 'Answer whether a subject may do something; exit with 0 for yes.',
        load: () => import('./commands/access/can.ts'),
      },
      'who-can': {
        description: 'List every subject that may do something; write nothing.',
        load: () => import('./commands/access/who-can.ts'),
      },
      of: {
        description: 'List the roles of a user, a group or a service account; write nothing.',
        load: () => import('./commands/access/of.ts'),
      },
      tenant: {
        description: 'List who has access to the namespaces of a tenant; write nothing.',
        load: () => import('./commands/access/tenant.ts'),
      },
      review: {
        description: 'List who gained and lost what since a day, by which commit; write nothing.',
        load: () => import('./commands/access/review.ts'),
      },
    },
  },
  serve: {
    description: "Run Tenantry's own operator, usually in a pod, until SIGTERM.",
    load: () => import('./commands/serve.ts'),
  },
  operator: {
    description: 'Install, uninstall or develop any other operator.',
    commands: {
      dev: {
        description: 'Run your operator on your machine, against a cluster, until SIGTERM.',
        load: () => import('./commands/operator/dev.ts'),
      },
      install: {
        description:
          'Apply the manifests of an operator to a cluster, and wait until it is available.',
        load: () => import('./commands/operator/install.ts'),
      },
      uninstall: {
        description: 'Delete an installed operator from a cluster.',
        load: () => import('./commands/operator/uninstall.ts'),
      },
    },
  },
  crd: {
    description: 'Check, compare and import CustomResourceDefinitions.',
    commands: {
      check: {
        description:
          'Report what the API server would reject in CustomResourceDefinitions, without contacting one.',
        load: () => import('./commands/crd/check.ts'),
      },
      diff: {
        description:
          'Compare CustomResourceDefinitions, and classify changes as compatible, breaking or unknown.',
        load: () => import('./commands/crd/diff.ts'),
      },
      import: {
        description: 'Generate typed constructs from existing CustomResourceDefinitions.',
        load: () => import('./commands/crd/import.ts'),
      },
    },
  },
  bundle: {
    description: 'Write, validate, compare, install and publish bundles of operators for OLM.',
    commands: {
      init: {
        description:
          'Write a program that renders a new bundle and its catalog; prompts on a terminal.',
        load: () => import('./commands/bundle/init.ts'),
      },
      import: {
        description:
          'Generate TypeScript from an existing bundle or from the config/ of a kubebuilder project.',
        load: () => import('./commands/bundle/import.ts'),
      },
      validate: {
        description: 'Validate bundles of operators (registry+v1).',
        load: () => import('./commands/bundle/validate.ts'),
      },
      run: {
        description: 'Run a bundle on a cluster with OLM v0, and wait until it has succeeded.',
        load: () => import('./commands/bundle/run.ts'),
      },
      cleanup: {
        description: 'Delete what tenantry bundle run created for a package.',
        load: () => import('./commands/bundle/cleanup.ts'),
      },
      diff: {
        description:
          'Report whether an upgrade from one bundle to another is safe, and what it changes.',
        load: () => import('./commands/bundle/diff.ts'),
      },
      'install-file': {
        description:
          'Print the objects with which OLM installs an operator, for `kubectl apply -f`.',
        load: () => import('./commands/bundle/install-file.ts'),
      },
      submit: {
        description:
          'Add a bundle to a clone of an operator repository, if its pipeline would accept it.',
        load: () => import('./commands/bundle/submit.ts'),
      },
      preview: {
        description: 'Print a bundle as OperatorHub shows it, and what the operator may do.',
        load: () => import('./commands/bundle/preview.ts'),
      },
    },
  },
  catalog: {
    description: 'Validate, render and draw catalogs of OLM.',
    commands: {
      validate: {
        description: 'Report what OLM would reject in a file-based catalog.',
        load: () => import('./commands/catalog/validate.ts'),
      },
      render: {
        description: 'Print the file-based catalog of the bundles of one or several operators.',
        load: () => import('./commands/catalog/render.ts'),
      },
      graph: {
        description: 'Draw the channels of a catalog as a Mermaid flowchart.',
        load: () => import('./commands/catalog/graph.ts'),
      },
    },
  },
  olm: {
    description: 'Inspect the Operator Lifecycle Manager of a cluster.',
    commands: {
      status: {
        description: 'Print the state of OLM on a cluster and of what it installs; write nothing.',
        load: () => import('./commands/olm/status.ts'),
      },
    },
  },
  argocd: {
    description: 'Print the rights and kinds that an Argo CD without cluster-admin needs.',
    commands: {
      rbac: {
        description:
          'Print the roles with which Argo CD may apply the rendered objects, and nothing else.',
        load: () => import('./commands/argocd/rbac.ts'),
      },
      inclusions: {
        description: 'Print the kinds that Argo CD must read, for argocd-cm.',
        load: () => import('./commands/argocd/inclusions.ts'),
      },
    },
  },
  schema: {
    description:
      'Write JSON Schemas of the declarations, for completion and errors in your editor.',
    load: () => import('./commands/schema.ts'),
  },
  completion: {
    description: 'Print a script that completes commands and options in your shell.',
    load: () => import('./commands/completion.ts'),
  },
  names: {
    description: 'Print the names of declared tenants or classes, for completion in shells.',
    isHidden: true,
    load: () => import('./commands/names.ts'),
  },
};
