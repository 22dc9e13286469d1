import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { foreground } from './lib/process.mjs'
import { ensureInstalled, node, root, runMain, toolEnv } from './lib/toolchain.mjs'

const folder = join(root, 'bench', 'promptfoo')

// Asks promptfoo itself what it says of the samples, and writes that down for the ordinary tests.
await runMain(async () => {
  await ensureInstalled()
  if (!existsSync(join(folder, 'node_modules'))) {
    const args = ['ci', '--ignore-scripts', '--omit=optional']
    const installed = await foreground({ command: 'npm', args, cwd: folder, env: toolEnv() })
    if (installed !== 0) return installed
  }
  return foreground({ command: node, args: [join(folder, 'agree.ts')], cwd: root, env: toolEnv() })
})
