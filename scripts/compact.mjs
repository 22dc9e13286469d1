import { join } from 'node:path'
import { foreground } from './lib/process.mjs'
import { ensureProgram, node, programEnv, root, runMain, toolEnv } from './lib/toolchain.mjs'

await runMain(async () => {
  await ensureProgram()
  const args = [join(root, 'apps', 'server', 'src', 'compact.ts')]
  return foreground({ command: node, args, env: { ...toolEnv(), ...programEnv } })
})
