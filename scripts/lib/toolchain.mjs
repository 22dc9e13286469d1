import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { hashLockFile, npm, pathWithoutModules } from './folders.mjs'
import { ensureNode, node } from './node.mjs'
import { root, SetupError } from './root.mjs'

export { node, root, SetupError }

const modules = join(root, 'node_modules')
const stampFile = join(modules, '.catenary-install')

/** Where Node keeps what it made of each source file: a second start need not do it again. */
export const compileCache = join(modules, '.cache', 'node-compile')

/** For the program alone: by itself glibc keeps up to 64 MB of what was freed, and of the heap of each thread. */
export const programEnv = { NODE_COMPILE_CACHE: compileCache, MALLOC_TRIM_THRESHOLD_: String(1024 * 1024) }

/** Makes `node_modules` hold what building and running the program needs, or more. Does nothing if it already does. */
export async function ensureProgram() {
  await ensureInstalled({ tools: false })
}

/** Makes `node_modules` hold all that the lock file lists: also what tests and checks need. */
export async function ensureTools() {
  await ensureInstalled({ tools: true })
}

/**
 * The environment for the tools: the Node that runs the program is the `node` they find.
 * @returns {NodeJS.ProcessEnv}
 */
export function toolEnv() {
  return {
    ...process.env,
    PATH: [join(modules, '.bin'), dirname(node), pathWithoutModules()].join(delimiter),
    NODE_COMPILE_CACHE: compileCache,
  }
}

/**
 * The script behind a package's command, to be run by `node`.
 * @param {string} name package
 * @param {string} [command] where it differs from the package's last name part
 * @param {string} [folder] whose packages it is one of
 */
export function tool(name, command = name.split('/').at(-1) ?? name, folder = root) {
  const home = join(folder, 'node_modules', ...name.split('/'))
  const { bin } = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8'))
  return join(home, typeof bin === 'string' ? bin : bin[command])
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

/** @param {{ tools: boolean }} wanted */
async function ensureInstalled({ tools }) {
  requireNode()
  await Promise.all([ensureNode(), ensurePackages({ tools })])
}

/** @param {{ tools: boolean }} wanted */
async function ensurePackages({ tools }) {
  const hash = hashLockFile(root)
  const [stampedHash, stampedTools] = readStamp()
  if (stampedHash === hash && (!tools || stampedTools === 'tools')) return
  if (!matchesLockFile({ tools })) {
    console.log(`Installing ${tools ? 'dependencies and tools' : 'dependencies'} (once) …`)
    await npm(root, ['ci', tools ? '--include=dev' : '--omit=dev'])
  }
  writeFileSync(stampFile, `${hash} ${matchesLockFile({ tools: true }) ? 'tools' : 'program'}`)
}

function requireNode() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  if (major < 20 || (major === 20 && minor < 19)) {
    throw new SetupError(`Catenary needs Node 20.19 or newer to start; this is ${process.version}.`)
  }
}

function readStamp() {
  return existsSync(stampFile) ? readFileSync(stampFile, 'utf8').split(' ') : []
}

/**
 * True if npm, run by hand or before, has installed what the lock file lists.
 * @param {{ tools: boolean }} wanted
 */
function matchesLockFile({ tools }) {
  const installedFile = join(modules, '.package-lock.json')
  if (!existsSync(installedFile)) return false
  const wanted = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages
  const installed = JSON.parse(readFileSync(installedFile, 'utf8')).packages
  return (
    Object.keys(installed).every((path) => path in wanted) &&
    Object.entries(wanted).every(
      ([path, entry]) =>
        !path.includes('node_modules/') ||
        (installed[path]
          ? installed[path].version === entry.version
          : entry.optional === true || (!tools && entry.dev === true)),
    )
  )
}
