import { defineConfig, mergeConfig } from 'vitest/config'
import journeys from './vitest.config.ts'

/** Journeys that go through everything one by one. Their own command, as they take minutes. */
export default mergeConfig(
  { ...journeys, test: { ...journeys.test, include: [] } },
  defineConfig({ test: { name: 'thorough', maxWorkers: 1, include: ['**/*.thorough.ts'] } }),
)
