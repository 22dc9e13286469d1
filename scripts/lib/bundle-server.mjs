import { join } from 'node:path'
import { rolldown } from 'rolldown'
import { root } from './toolchain.mjs'

const source = join(root, 'apps', 'server', 'src')
/** What is started by its file's name: the program, and what runs in a thread or a process beside it. */
const entries = {
  main: 'main.ts',
  'embedded-worker': 'db/embedded-worker.ts',
  initdb: 'db/initdb.ts',
  'bounded-worker': 'platform/bounded/bounded-worker.ts',
  'grading-task': 'platform/grading/grading-task.ts',
  'markdown-task': 'platform/mail/markdown-task.ts',
  'read-suite-task': 'features/test-suites/read-suite-task.ts',
  'write-suite-task': 'features/test-suites/write-suite-task.ts',
}
/** What can't be bundled: WebAssembly with its files beside it, and a native addon. */
export const notBundled = ['@electric-sql/pglite', '@node-rs/argon2']

/**
 * @param {string} folder where the files go
 */
export async function bundleServer(folder) {
  const bundle = await rolldown({
    input: Object.fromEntries(Object.entries(entries).map(([name, file]) => [name, join(source, file)])),
    platform: 'node',
    external: (id) => notBundled.some((name) => id === name || id.startsWith(`${name}/`)),
    plugins: [besideEachOther],
  })
  await bundle.write({
    dir: folder,
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: '[name]-[hash].js',
  })
  await bundle.close()
}

/** All files of the bundle lie in one folder, under the names of their sources. @type {import('rolldown').Plugin} */
const besideEachOther = {
  name: 'beside-each-other',
  transform(code, id) {
    if (!id.startsWith(source)) return null
    return code.replaceAll(
      /new URL\('\.\/([\w-]+)\.ts', import\.meta\.url\)/g,
      "new URL('./$1.js', import.meta.url)",
    )
  },
}
