import { join } from 'node:path'
import { foreground } from './lib/process.mjs'
import { ensureTools, node, root, runMain, toolEnv } from './lib/toolchain.mjs'

await runMain(async () => {
  await ensureTools()
  const args = [join(root, 'scripts', 'print-structure.ts'), ...process.argv.slice(2)]
  return foreground({ command: node, args, env: toolEnv() })
})
