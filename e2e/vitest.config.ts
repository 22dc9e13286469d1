import { defineConfig } from 'vitest/config'

/** Whole journeys against the built program, each file with a program, data and browser of its own. */
export default defineConfig({
  test: {
    name: 'journeys',
    root: import.meta.dirname,
    globalSetup: ['../apps/server/src/testing/database-service.ts', './harness/data-template.ts'],
    include: ['**/*.journey.ts'],
    environment: 'node',
    // More of them at once starve each other's browsers on two cores.
    maxWorkers: 2,
    isolate: false,
    // A browser on a busy machine may miss a moment; what is broken fails twice.
    retry: 1,
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
})
