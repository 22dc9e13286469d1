import { join } from 'node:path'
import { foreground } from './lib/process.mjs'
import { ensureInstalled, node, programEnv, root, runMain, toolEnv } from './lib/toolchain.mjs'

await runMain(async () => {
  await ensureInstalled()
  const args = [join(root, 'apps', 'server', 'src', 'compact.ts')]
  return foreground({ command: node, args, env: { ...toolEnv(), ...programEnv } })
})
