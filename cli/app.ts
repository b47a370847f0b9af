import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { INPUT, type FleetInput } from '../apps/fleet-input.ts';
import { omitUndefined } from '@tenantry/kube/mapping';
import { CLUSTERS } from '@tenantry/kube/construct-metadata';
import { formatBrief } from '@tenantry/kube/problem';
import { CONSTRUCT_METADATA } from '../synth/manifests/file-name.ts';
import { Output } from '../synth/output/output.ts';
import { buildErrorReport, type Report, type Summary } from '../synth/report.ts';
import { isMetadataRequested, RUN, type Run } from '../synth/run.ts';
import { takeStockOutput } from '../synth/stock-output.ts';
import type { Settings } from './settings.ts';

type ToFolder = Run & { readonly out: string };

/**
 * Runs the app of cdk8s.yaml, or the built-in one where there is none, and reports how it ended. In
 * mode `compare` nothing is written to the output folder.
 */
export async function runApp(settings: Settings, mode: Run['mode']): Promise<Report> {
  const run = toRun(settings, mode);
  const input = toInput(settings);
  return settings.app === undefined ? runBuiltin(run, input) : runCommand(settings.app, run, input);
}

/** What the built-in app renders. */
interface RenderedTexts {
  readonly summary: Summary;
  /** The texts of the files that are not in the output folder, or have another text there. */
  readonly differing: ReadonlyMap<string, string>;
}

/**
 * Renders with the built-in app, and writes nothing. This uses the cache between runs, and writes no files that are read
 * again.
 * @returns undefined if another app renders, or the rendering fails
 */
export async function renderTexts(settings: Settings): Promise<RenderedTexts | undefined> {
  if (settings.app !== undefined) return undefined;
  const differing = new Map<string, string>();
  const report = await runBuiltin(toRun(settings, 'compare'), toInput(settings), (path, text) =>
    differing.set(path, text),
  );
  return report.outcome === 'done' ? { summary: report.summary, differing } : undefined;
}

const toRun = (settings: Settings, mode: Run['mode']): ToFolder =>
  omitUndefined({
    mode,
    out: settings.out,
    progress: !settings.quiet,
    constructMetadata: isMetadataRequested(),
    warningsAsErrors: settings.warningsAsErrors,
    memory: settings.memory,
    workers: settings.workers,
  });

const toInput = ({ tenants, platform, date }: Settings): FleetInput =>
  omitUndefined({ tenants, platform, date });

/** Renders the folder of tenants and the platform file in this process. */
async function runBuiltin(
  run: ToFolder,
  input: FleetInput,
  onDifference?: (path: string, text: string) => void,
): Promise<Report> {
  const { renderFleet } = await import('../apps/built-in-app.ts');
  try {
    return { outcome: 'done', summary: renderFleet(input, run, onDifference) };
  } catch (error) {
    return buildErrorReport(error);
  }
}

/**
 * Runs the command of cdk8s.yaml in a shell, as cdk8s-cli does. It is the user's own code, like the
 * scripts of package.json. An app built with Tenantry writes a report. A stock cdk8s app writes its
 * files to CDK8S_OUTDIR, from where they are collected.
 */
async function runCommand(command: string, run: ToFolder, input: FleetInput): Promise<Report> {
  const folder = mkdtempSync(join(tmpdir(), 'tenantry-'));
  try {
    const report = join(folder, 'report.json');
    const plain = join(folder, 'dist');
    const env = {
      ...process.env,
      CDK8S_OUTDIR: plain,
      [RUN]: JSON.stringify({ ...run, report } satisfies Run),
      [INPUT]: JSON.stringify(input),
    };
    const ended = await waitForExit(command, env);
    const result = readReport(report);
    if (result && (result.outcome !== 'done' || ended === 0)) return result;
    if (ended !== 0) {
      const message = `the app of cdk8s.yaml must end with exit code 0, got ${ended} (its output is above): ${formatBrief(command)}`;
      return { ...refusal(message), written: result !== undefined && run.mode === 'write' };
    }
    if (!existsSync(plain) || readdirSync(plain).length === 0) {
      const message = `the app of cdk8s.yaml must write files, got none; it must call synth(), and a stock cdk8s app must not set an outdir: ${formatBrief(command)}`;
      return refusal(message);
    }
    return takePlainOutput(plain, run);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function refusal(message: string) {
  const problems = [{ path: '', message, rule: 'app' }];
  return { outcome: 'refused' as const, problems, warnings: [] };
}

/** What the app prints goes to stderr: stdout belongs to the result. */
function waitForExit(command: string, env: NodeJS.ProcessEnv): Promise<number | string> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, { shell: true, env, stdio: ['ignore', 2, 2] });
    child.on('error', reject);
    child.on('exit', (code, signal) => resolve(code ?? String(signal)));
  });
}

function readReport(file: string): Report | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Report;
  } catch {
    return undefined;
  }
}

function takePlainOutput(folder: string, run: ToFolder): Report {
  let output: Output | undefined;
  try {
    output = Output.open(run.out, {
      mode: run.mode,
      sealed: [CLUSTERS],
      shared: [CONSTRUCT_METADATA],
    });
    return { outcome: 'done', summary: takeStockOutput(folder, output) };
  } catch (error) {
    return buildErrorReport(error);
  } finally {
    output?.abort();
  }
}
