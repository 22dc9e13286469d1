import { runStages, staticStages } from './lib/stages.mjs'
import { ensureInstalled, runMain } from './lib/toolchain.mjs'

await runMain(async () => {
  await ensureInstalled()
  const { failed } = await runStages(staticStages)
  return failed === 0 ? 0 : 1
})
