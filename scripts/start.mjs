import { join } from 'node:path'
import { foreground } from './lib/process.mjs'
import { ensureInstalled, node, root, runMain, SetupError, toolEnv } from './lib/toolchain.mjs'
import { ensureWebBuilt } from './lib/web-build.mjs'

await runMain(async () => {
  await ensureInstalled()
  const build = await ensureWebBuilt()
  if (build.code !== 0) throw new SetupError(`The web app could not be built.\n${build.output}`)
  const args = [join(root, 'apps', 'server', 'src', 'main.ts'), ...process.argv.slice(2)]
  return foreground({ command: node, args, env: toolEnv() })
})
