import { join } from 'node:path'
import { foreground } from './lib/process.mjs'
import { ensureProgram, node, programEnv, root, runMain, toolEnv } from './lib/toolchain.mjs'
import { buildWeb } from './lib/web-build.mjs'

/** Commands that serve the web app, which is built for them; without a name it is `start`. */
const SERVING = ['start', 'web']

await runMain(async () => {
  const args = process.argv.slice(2)
  await ensureProgram()
  if (SERVING.includes(args[0] ?? 'start')) await buildWeb()
  const main = join(root, 'apps', 'server', 'src', 'main.ts')
  return foreground({ command: node, args: [main, ...args], env: { ...toolEnv(), ...programEnv } })
})
