/**
 * Runs the project's own Node with the given arguments: `node scripts/run.js cli/main.ts synth`.
 * The only file that an older Node (18 and up) runs, so it is plain JavaScript without a dependency;
 * the packages are installed here first, when they are missing or not those of package-lock.json.
 */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { constants } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const modules = join(root, 'node_modules');
const ownNode = join(modules, 'node', 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
const currentNodeWillDo = Number(process.versions.node.split('.')[0]) >= 24;

function packagesOf(lockFile) {
  return JSON.parse(readFileSync(lockFile, 'utf8')).packages;
}

/** What npm noted that it installed (node_modules/.package-lock.json) against package-lock.json. */
function isInstalled() {
  const installedFile = join(modules, '.package-lock.json');
  if (!existsSync(installedFile) || !(existsSync(ownNode) || currentNodeWillDo)) return false;
  const installed = packagesOf(installedFile);
  return Object.entries(packagesOf(join(root, 'package-lock.json'))).every(
    ([path, wanted]) =>
      // A folder of the repository; its link in node_modules is an entry of its own.
      !path.startsWith('node_modules/') ||
      (path in installed
        ? installed[path].version === wanted.version
        : wanted.optional || wanted.devOptional || wanted.peer),
  );
}

/** npm's words go to stderr, as stdout belongs to the command that is run afterwards. */
function npmCi(...flags) {
  const quiet = ['--no-audit', '--no-fund', '--loglevel=error'];
  // Three tries in 12 seconds; npm's own pauses make it wait over a minute without a network.
  const patience = ['--prefer-offline', '--fetch-retry-mintimeout=3000', '--fetch-retry-factor=3'];
  const args = ['ci', ...quiet, ...patience, ...flags];
  console.error(`tenantry: installing the packages of package-lock.json: npm ${args.join(' ')}`);
  const { status } = spawnSync('npm', args, {
    cwd: root,
    stdio: ['ignore', 2, 2],
    shell: process.platform === 'win32',
  });
  return status === 0;
}

const pause = (milliseconds) =>
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);

/**
 * Two `npm ci` in one folder break each other, and two commands may be started at once: a file holds
 * the process that installs, and the others wait for its end.
 */
function installAlone() {
  const lock = join(root, '.installing');
  for (let isReported = false; !isTaken(lock); isReported = true) {
    if (!isReported)
      console.error('tenantry: another command installs the packages; waiting for it');
    pause(200);
  }
  process.on('exit', () => rmSync(lock, { force: true }));
  if (!isInstalled()) install();
  rmSync(lock, { force: true });
}

/** Whether the lock is this process's now. One of a process that is gone is removed. */
function isTaken(lock) {
  try {
    writeFileSync(lock, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
  }
  try {
    const holder = Number(readFileSync(lock, 'utf8'));
    // Not written yet.
    if (holder > 0) process.kill(holder, 0);
  } catch (error) {
    if (error.code === 'ESRCH') rmSync(lock, { force: true });
  }
  return false;
}

function install() {
  // Without its install script the package `node` brings no Node; a current one can do without.
  if (npmCi() || (currentNodeWillDo && npmCi('--ignore-scripts'))) return;
  console.error(
    `\ntenantry: the packages must be installed before anything runs, but \`npm ci\` failed (its output is above).\n` +
      `  Tried: the packages of package-lock.json, from npm's cache first, then from the registry that npm is set to.\n` +
      `  Without a network: connect and run the same command again.\n` +
      `  Behind a proxy or a mirror: set npm's \`proxy\` or \`registry\` (npm config set ...), then run it again.\n` +
      `  With a network: run \`npm ci\` to see npm's warnings too; it must be npm 10 or later.`,
  );
  process.exit(1);
}

/**
 * npm passes a SIGTERM to the shell in which it runs a script. The shell ends, and passes it to nobody: what it started
 * would run on. Elsewhere a process may outlive its parent, as `nohup` wants it.
 */
function endWithParent(child) {
  if (process.env.npm_lifecycle_event === undefined) return;
  const parent = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watch);
    child.kill('SIGTERM');
  }, 500);
  watch.unref();
}

/** stdio is the child's; so are signals, and the way it ends is the way this process ends. */
function run(node, args) {
  const child = spawn(node, args, { stdio: 'inherit' });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.on(signal, () => {
      // Ctrl-C in a terminal reaches the child by itself; twice would mean "at once" to it.
      if (signal !== 'SIGINT' || !process.stdin.isTTY) child.kill(signal);
    });
  }
  endWithParent(child);
  child.on('error', (error) => {
    if (node === ownNode && currentNodeWillDo) return run(process.execPath, args);
    console.error(
      `tenantry: ${node} must be a Node that runs here, got '${error.message}'.\n` +
        `  Run \`npm rebuild node\` to fetch it again, or use a Node >= 24 of your own.`,
    );
    process.exit(1);
  });
  child.on('exit', (code, signal) => process.exit(code ?? 128 + constants.signals[signal]));
}

if (!isInstalled()) installAlone();
run(existsSync(ownNode) ? ownNode : process.execPath, process.argv.slice(2));
