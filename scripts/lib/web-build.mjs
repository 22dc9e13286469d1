import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { gzipSync } from 'node:zlib'
import { capture } from './process.mjs'
import { node, root, SetupError, tool, toolEnv } from './toolchain.mjs'

const web = join(root, 'apps', 'web')
const stampFile = join(web, 'dist', '.sources.sha256')
const ignored = /^(dist|node_modules|testing)$|\.test\.tsx?$/

/**
 * Builds the web app unless the last build was of exactly these sources.
 * @returns {Promise<{ built: boolean, code: number, output: string }>}
 */
export async function ensureWebBuilt() {
  const wanted = hashSources()
  if (existsSync(stampFile) && readFileSync(stampFile, 'utf8') === wanted) {
    return { built: false, code: 0, output: '' }
  }
  const env = { ...toolEnv(), NODE_ENV: 'production' }
  const args = [tool('vite'), 'build', '--logLevel', 'warn']
  const { code, output } = await capture({ command: node, args, cwd: web, env })
  if (code === 0) writeFileSync(stampFile, wanted)
  return { built: true, code, output }
}

/** Gzipped: each import that leads further into the contract than the first screen needs adds to it unseen. */
export const ENTRY_MAX_BYTES = 150_000

/** What a browser must have before the first screen shows: the scripts that index.html names, and the modules they preload. */
export function entryBytes() {
  const page = readFileSync(join(web, 'dist', 'index.html'), 'utf8')
  const files = new Set([...page.matchAll(/(?:src|href)="\/([^"]+\.js)"/g)].flatMap(([, file]) => file ?? []))
  const sizes = Array.from(
    files,
    (file) => gzipSync(readFileSync(join(web, 'dist', file)), { level: 9 }).length,
  )
  return sizes.reduce((sum, size) => sum + size, 0)
}

/** As `ensureWebBuilt`, for callers that can't go on without the web app. */
export async function buildWeb() {
  const { code, output } = await ensureWebBuilt()
  if (code !== 0) throw new SetupError(`The web app could not be built.\n${output}`)
}

function hashSources() {
  const hash = createHash('sha256')
  for (const file of [
    join(root, 'package-lock.json'),
    join(root, '.env.example'),
    ...listFiles(web),
    ...listFiles(join(root, 'packages')),
    ...listFiles(join(root, 'docs', 'guide')),
    ...listFiles(join(root, 'deploy')),
  ]) {
    hash.update(relative(root, file)).update('\0').update(readFileSync(file)).update('\0')
  }
  return hash.digest('hex')
}

/**
 * @param {string} folder
 * @returns {string[]}
 */
function listFiles(folder) {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => !ignored.test(entry.name))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = join(folder, entry.name)
      return entry.isDirectory() ? listFiles(path) : [path]
    })
}
