import { join } from 'node:path'
import { ensureFolder } from './lib/folders.mjs'
import { foreground } from './lib/process.mjs'
import { ensureTools, node, root, runMain, toolEnv } from './lib/toolchain.mjs'

const folder = join(root, 'bench', 'promptfoo')

// Asks promptfoo itself what it says of the samples, and writes that down for the ordinary tests.
await runMain(async () => {
  await ensureTools()
  await ensureFolder(folder, { what: 'promptfoo', args: ['--ignore-scripts', '--omit=optional'] })
  return foreground({ command: node, args: [join(folder, 'agree.ts')], cwd: root, env: toolEnv() })
})
