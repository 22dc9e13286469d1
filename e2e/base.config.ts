import { defineConfig } from 'vitest/config'

/** Tests against the built program, each file with a program and data of its own. */
export default defineConfig({
  test: {
    root: import.meta.dirname,
    globalSetup: ['../apps/server/src/testing/database-service.ts', './harness/data-template.ts'],
    environment: 'node',
    isolate: false,
    expect: { poll: { timeout: 60_000 } },
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
})
