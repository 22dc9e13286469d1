import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { ensureFolder } from './folders.mjs'
import { root } from './root.mjs'

/** The first Node of each line that runs TypeScript by itself, as the program and its tools need. */
const firstMinor = new Map([
  [22, 18],
  [23, 6],
])
const file = process.platform === 'win32' ? 'node.exe' : 'node'
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
const ownSuffices = major >= 24 || minor >= (firstMinor.get(major) ?? Number.POSITIVE_INFINITY)

const folders = { pinned: join(root, 'scripts', 'node'), oldest: join(root, 'scripts', 'node-oldest') }
const pinned = fileIn(folders.pinned)

/** The Node that runs the program and its tools: the machine's own if it is new enough, else the pinned one. */
export const node = ownSuffices ? process.execPath : pinned

/** Fetches the pinned Node where the machine's own is too old for the program. */
export async function ensureNode() {
  if (!ownSuffices) await fetchNode(`Node for the program (once; this is ${process.version})`)
}

/**
 * @param {string} what is said while it is fetched
 * @param {keyof typeof folders} [which] the pinned one, or the oldest that the package runs on
 * @returns {Promise<string>} that Node, also where the machine's own would do
 */
export async function fetchNode(what, which = 'pinned') {
  const folder = folders[which]
  await ensureFolder(folder, { what, makes: fileIn(folder) })
  // A third of it are headers for compilers, beside a second name of the same file.
  rmSync(join(folder, 'node_modules', 'node', 'node_modules'), { recursive: true, force: true })
  return fileIn(folder)
}

/** @param {string} folder */
function fileIn(folder) {
  return join(folder, 'node_modules', 'node', 'bin', file)
}
