import { defineConfig, mergeConfig } from 'vitest/config'
import base from './base.config.ts'

/** Journeys that go through everything one by one. Their own command, as they take minutes. */
export default mergeConfig(
  base,
  defineConfig({ test: { name: 'thorough', maxWorkers: 1, include: ['**/*.thorough.ts'] } }),
)
