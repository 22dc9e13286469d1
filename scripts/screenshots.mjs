import { join } from 'node:path'
import { ensureBrowser } from './lib/browser.mjs'
import { foreground } from './lib/process.mjs'
import { ensureTools, node, root, runMain, toolEnv } from './lib/toolchain.mjs'
import { buildWeb } from './lib/web-build.mjs'

await runMain(async () => {
  await ensureTools()
  const browser = await ensureBrowser()
  await buildWeb()
  const given = process.argv.slice(2)
  const isGuide = given.includes('--guide')
  const file = isGuide ? 'guide-pictures.ts' : 'screenshots.ts'
  const args = [join(root, 'e2e', file), ...given.filter((argument) => argument !== '--guide')]
  return foreground({ command: node, args, cwd: root, env: { ...toolEnv(), CHROMIUM_PATH: browser } })
})
