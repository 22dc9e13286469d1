import { runStages, staticStages } from './lib/stages.mjs'
import { ensureTools, runMain } from './lib/toolchain.mjs'

await runMain(async () => {
  await ensureTools()
  const { failed } = await runStages(staticStages)
  return failed === 0 ? 0 : 1
})
