import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { foreground } from './process.mjs'

/** The folder of the clone. */
export const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))))

const modules = join(root, 'node_modules')
const lockFile = join(root, 'package-lock.json')
const stampFile = join(modules, '.catenary-install')
const pinned = join(modules, 'node', 'bin', process.platform === 'win32' ? 'node.exe' : 'node')

/** Where Node keeps what it made of each source file: a second start need not do it again. */
export const compileCache = join(modules, '.cache', 'node-compile')

/** For the program alone: by itself glibc keeps up to 64 MB of what was freed, and of the heap of each thread. */
export const programEnv = { NODE_COMPILE_CACHE: compileCache, MALLOC_TRIM_THRESHOLD_: String(1024 * 1024) }

/** A problem that the person can mend: shown as its message alone. */
export class SetupError extends Error {}

/** Makes `node_modules` match the lock file. Does nothing if it already does. */
export async function ensureInstalled() {
  requireNode()
  const wanted = createHash('sha256').update(readFileSync(lockFile)).digest('hex')
  if (!isStamped(wanted)) {
    if (!matchesLockFile()) await install()
    writeFileSync(stampFile, wanted)
  }
  if (!existsSync(pinned)) {
    throw new SetupError(
      'The pinned Node is missing from node_modules, perhaps because npm ignores install scripts.\n' +
        'Run `npm rebuild node --ignore-scripts=false`, then try again.',
    )
  }
}

/** The Node that runs the program and its tools. */
export const node = pinned

/**
 * The environment for the tools: the pinned Node is the `node` they find.
 * @returns {NodeJS.ProcessEnv}
 */
export function toolEnv() {
  return {
    ...process.env,
    PATH: [join(modules, '.bin'), pathWithoutModules()].join(delimiter),
    NODE_COMPILE_CACHE: compileCache,
  }
}

/**
 * The script behind a package's command, to be run by the pinned Node.
 * @param {string} name package
 * @param {string} [command] where it differs from the package's last name part
 */
export function tool(name, command = name.split('/').at(-1) ?? name) {
  const folder = join(modules, ...name.split('/'))
  const { bin } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  return join(folder, typeof bin === 'string' ? bin : bin[command])
}

/** @param {() => Promise<number>} main gives the exit code */
export async function runMain(main) {
  try {
    process.exitCode = await main()
  } catch (error) {
    console.error(error instanceof SetupError ? error.message : error)
    process.exitCode = 1
  }
}

function requireNode() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  if (major < 20 || (major === 20 && minor < 19)) {
    throw new SetupError(`Catenary needs Node 20.19 or newer to start; this is ${process.version}.`)
  }
}

/** @param {string} wanted */
function isStamped(wanted) {
  return existsSync(stampFile) && readFileSync(stampFile, 'utf8') === wanted
}

/** True if npm, run by hand, has already installed what the lock file lists. */
function matchesLockFile() {
  const installedFile = join(modules, '.package-lock.json')
  if (!existsSync(installedFile)) return false
  const wanted = JSON.parse(readFileSync(lockFile, 'utf8')).packages
  const installed = JSON.parse(readFileSync(installedFile, 'utf8')).packages
  return (
    Object.keys(installed).every((path) => path in wanted) &&
    Object.entries(wanted).every(
      ([path, entry]) =>
        !path.includes('node_modules/') ||
        (installed[path] ? installed[path].version === entry.version : entry.optional === true),
    )
  )
}

async function install() {
  console.log('Installing dependencies (once) …')
  // npm must not run on the Node inside the folder that it replaces.
  const env = { ...process.env, PATH: pathWithoutModules() }
  const args = ['ci', '--include=dev', '--no-audit', '--no-fund']
  const code =
    process.platform === 'win32'
      ? await foreground({ command: 'cmd', args: ['/c', 'npm', ...args], cwd: root, env })
      : await foreground({ command: 'npm', args, cwd: root, env })
  if (code !== 0) throw new SetupError(`npm ci failed with code ${code}; its output above says why.`)
}

function pathWithoutModules() {
  const inModules = `${sep}node_modules${sep}`
  return (process.env.PATH ?? '')
    .split(delimiter)
    .filter((folder) => !`${folder}${sep}`.includes(`${inModules}.bin${sep}`))
    .join(delimiter)
}
