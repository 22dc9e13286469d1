import { defineConfig, mergeConfig } from 'vitest/config'
import base from './base.config.ts'

/** Long tests against the program: kills and power cuts. Their own command, as they take minutes. */
export default mergeConfig(
  base,
  defineConfig({ test: { name: 'durability', maxWorkers: 1, include: ['**/*.durability.ts'] } }),
)
