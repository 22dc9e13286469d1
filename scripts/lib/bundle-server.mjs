import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './toolchain.mjs'

const source = join(root, 'apps', 'server', 'src')
/** What is started by its file's name: the program, and what runs in a thread or a process beside it. */
const entries = {
  main: 'main.ts',
  'embedded-worker': 'db/embedded/embedded-worker.ts',
  initdb: 'db/embedded/initdb.ts',
  'bounded-worker': 'platform/bounded/bounded-worker.ts',
  'grading-task': 'platform/grading/grading-task.ts',
  'markdown-task': 'platform/mail/markdown-task.ts',
  'read-suite-task': 'features/test-suites/read-suite-task.ts',
  'write-suite-task': 'features/test-suites/write-suite-task.ts',
}
/** What can't be bundled: a native addon, of which each machine takes its own. */
export const notBundled = ['@node-rs/argon2']
const pglite = join(root, 'node_modules', '@electric-sql', 'pglite', 'dist')
/** What PGlite reads from beside itself: PostgreSQL, the files that a database begins with, the one extension. */
const pgliteFiles = ['pglite.wasm', 'pglite.data', 'initdb.wasm', 'pg_trgm.tar.gz']

/**
 * @param {string} folder where the files go
 */
export async function bundleServer(folder) {
  // Where nothing is installed yet, this file is read before the packages are there.
  const { rolldown } = await import('rolldown')
  const bundle = await rolldown({
    input: Object.fromEntries(Object.entries(entries).map(([name, file]) => [name, join(source, file)])),
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
    return code.replaceAll(
      /new URL\('\.\/([\w-]+)\.ts', import\.meta\.url\)/g,
      "new URL('./$1.js', import.meta.url)",
    )
  },
}
