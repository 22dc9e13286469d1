import { cpSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { root } from './toolchain.mjs'

const source = join(root, 'apps', 'server', 'src')
/** What can't be bundled: a native addon, of which each machine takes its own. */
export const notBundled = ['@node-rs/argon2']
const pglite = join(root, 'node_modules', '@electric-sql', 'pglite', 'dist')
/** What PGlite reads from beside itself: PostgreSQL, the files that a database begins with, the one extension. */
const pgliteFiles = ['pglite.wasm', 'pglite.data', 'initdb.wasm', 'pg_trgm.tar.gz']

/** How a file names one that is started by its name, in a thread or a process of its own. */
const STARTED = /new URL\('(\.[\w./-]*\/)([\w-]+)\.ts', import\.meta\.url\)/g

/**
 * The program, and what it starts by its file's name: their paths by the names that they have in the bundle. Throws
 * where two would have the same.
 */
function findEntries() {
  /** @type {Record<string, string>} */
  const entries = { main: join(source, 'main.ts') }
  for (const name of readdirSync(source, { recursive: true, encoding: 'utf8' })) {
    if (!/\.ts$/.test(name) || /\.test\.ts$|^testing\b/.test(name)) continue
    const file = join(source, name)
    for (const [, folder = '', started = ''] of readFileSync(file, 'utf8').matchAll(STARTED)) {
      const path = join(dirname(file), folder, `${started}.ts`)
      if ((entries[started] ?? path) !== path) throw new Error(`Two files are started as ${started}.ts`)
      entries[started] = path
    }
  }
  return entries
}

/**
 * @param {string} folder where the files go
 */
export async function bundleServer(folder) {
  // Where nothing is installed yet, this file is read before the packages are there.
  const { rolldown } = await import('rolldown')
  const bundle = await rolldown({
    input: findEntries(),
    platform: 'node',
    external: (id) => notBundled.some((name) => id === name || id.startsWith(`${name}/`)),
    plugins: [besideEachOther],
    // Emscripten's: it runs what PostgreSQL's compiled code brings.
    checks: { eval: false },
  })
  await bundle.write({
    dir: folder,
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: '[name]-[hash].js',
  })
  await bundle.close()
  for (const file of pgliteFiles) cpSync(join(pglite, file), join(folder, file))
}

/** All files of the bundle lie in one folder, under the names of their sources. @type {import('rolldown').Plugin} */
const besideEachOther = {
  name: 'beside-each-other',
  transform(code, id) {
    if (id.startsWith(pglite)) return code.replaceAll('new URL("../', 'new URL("./')
    if (!id.startsWith(source)) return null
    return code.replaceAll(STARTED, "new URL('./$2.js', import.meta.url)")
  },
}
