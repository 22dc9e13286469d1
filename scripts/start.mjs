import { join } from 'node:path'
import { foreground } from './lib/process.mjs'
import { ensureProgram, node, programEnv, root, runMain, toolEnv } from './lib/toolchain.mjs'
import { buildWeb } from './lib/web-build.mjs'

await runMain(async () => {
  await ensureProgram()
  await buildWeb()
  const args = [join(root, 'apps', 'server', 'src', 'main.ts'), ...process.argv.slice(2)]
  return foreground({ command: node, args, env: { ...toolEnv(), ...programEnv } })
})
