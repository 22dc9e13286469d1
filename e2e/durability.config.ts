import { defineConfig, mergeConfig } from 'vitest/config'
import journeys from './vitest.config.ts'

/** Long tests against the program: kills and power cuts. Their own command, as they take minutes. */
export default mergeConfig(
  { ...journeys, test: { ...journeys.test, include: [] } },
  defineConfig({ test: { name: 'durability', maxWorkers: 1, include: ['**/*.durability.ts'] } }),
)
