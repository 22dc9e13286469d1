import { defineConfig } from 'vitest/config'

/** Whole journeys against the built program: one at a time, each with its own data directory. */
export default defineConfig({
  test: {
    name: 'journeys',
    root: import.meta.dirname,
    globalSetup: ['../apps/server/src/testing/database-service.ts', './harness/data-template.ts'],
    include: ['**/*.journey.ts'],
    environment: 'node',
    maxWorkers: 2,
    // A browser on a busy machine may miss a moment; what is broken fails three times.
    retry: 2,
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
})
