import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, join, sep } from 'node:path'
import { foreground } from './process.mjs'
import { SetupError } from './root.mjs'

/**
 * Makes the packages of a folder match its own lock file. Does nothing if they already do.
 * @param {string} folder
 * @param {{ what: string, args?: string[], makes?: string }} options what is said while it is installed, further
 *   arguments of `npm ci`, and a file that must be there afterwards
 */
export async function ensureFolder(folder, { what, args = [], makes }) {
  const stampFile = join(folder, 'node_modules', '.catenary-install')
  const wanted = hashLockFile(folder)
  const isThere = makes === undefined || existsSync(makes)
  if (isThere && existsSync(stampFile) && readFileSync(stampFile, 'utf8') === wanted) return
  console.log(`Installing ${what} …`)
  await npm(folder, ['ci', ...args])
  if (makes !== undefined && !existsSync(makes)) {
    throw new SetupError(
      `${makes} is missing after npm ci, perhaps because npm ignores install scripts.\n` +
        `Run \`npm rebuild --ignore-scripts=false\` in ${folder}, then try again.`,
    )
  }
  writeFileSync(stampFile, wanted)
}

/**
 * Runs npm in the foreground, on the machine's own Node: not on one inside the folder that it replaces.
 * @param {string} folder
 * @param {string[]} args
 */
export async function npm(folder, args) {
  const env = { ...process.env, PATH: pathWithoutModules() }
  const all = [...args, '--no-audit', '--no-fund']
  const code =
    process.platform === 'win32'
      ? await foreground({ command: 'cmd', args: ['/c', 'npm', ...all], cwd: folder, env })
      : await foreground({ command: 'npm', args: all, cwd: folder, env })
  if (code !== 0) throw new SetupError(`npm ${args[0]} failed with code ${code}; its output above says why.`)
}

/** @param {string} file */
export function readJson(file) {
  return JSON.parse(readFileSync(file, 'utf8'))
}

/** @param {string} folder */
export function hashLockFile(folder) {
  return createHash('sha256')
    .update(readFileSync(join(folder, 'package-lock.json')))
    .digest('hex')
}

/** The PATH without the commands of packages. */
export function pathWithoutModules() {
  const inModules = `${sep}node_modules${sep}`
  return (process.env.PATH ?? '')
    .split(delimiter)
    .filter((folder) => !`${folder}${sep}`.includes(`${inModules}.bin${sep}`))
    .join(delimiter)
}
