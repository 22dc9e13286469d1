import { join } from 'node:path'
import { foreground } from './lib/process.mjs'
import { ensureTools, node, root, runMain, toolEnv } from './lib/toolchain.mjs'

await runMain(async () => {
  await ensureTools()
  const file = join(root, 'scripts', 'write-guide.ts')
  return foreground({ command: node, args: [file], env: toolEnv() })
})
