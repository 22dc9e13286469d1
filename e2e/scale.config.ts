import { defineConfig, mergeConfig } from 'vitest/config'
import base from './base.config.ts'

/** Several processes of the program on one PostgreSQL. Their own command, as they take minutes. */
export default mergeConfig(
  base,
  defineConfig({ test: { name: 'scale', maxWorkers: 1, include: ['**/*.scale.ts'] } }),
)
