import { join } from 'node:path'
import { foreground } from './lib/process.mjs'
import { ensureTools, node, root, runMain, toolEnv } from './lib/toolchain.mjs'

await runMain(async () => {
  await ensureTools()
  const file = join(root, 'apps', 'server', 'src', 'testing', 'fake-providers', 'main.ts')
  return foreground({ command: node, args: [file, ...process.argv.slice(2)], env: toolEnv() })
})
