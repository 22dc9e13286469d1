import { availableParallelism } from 'node:os'
import { configDefaults, defineConfig } from 'vitest/config'

const patience = 'scripts/testing/patience.ts'
const unorderedRows = 'apps/server/src/testing/unordered-rows.ts'
/** Twice what one wait in them may last. */
const limits = { testTimeout: 120_000, hookTimeout: 120_000 }

/** Two projects: everything that runs in Node (on both databases), and the web app's components in jsdom. */
export default defineConfig(({ mode }) => ({
  test: {
    // More than cores, as suites often wait: 41 files took 62 s on two cores with three, 76 with two, 72 with four.
    maxWorkers: Math.ceil(availableParallelism() * 1.5),
    // Suites leave nothing behind, and reloading every module for each took half of the time.
    isolate: false,
    restoreMocks: true,
    unstubGlobals: true,
    projects: [
      {
        test: {
          name: 'node',
          include: ['packages/**/*.test.ts', 'apps/server/**/*.test.ts', 'scripts/**/*.test.ts'],
          // They take too long for each change, and run with each route on both databases.
          exclude: [...configDefaults.exclude, ...(mode === 'thorough' ? [] : ['**/*.slow.test.ts'])],
          environment: 'node',
          globalSetup: 'apps/server/src/testing/database-service.ts',
          setupFiles: [patience, unorderedRows],
          ...limits,
          provide: { everyDatabase: mode === 'thorough' },
        },
      },
      {
        test: {
          name: 'web',
          include: ['apps/web/**/*.test.{ts,tsx}'],
          environment: 'jsdom',
          setupFiles: [patience, 'apps/web/src/testing/set-up.ts'],
          ...limits,
        },
      },
    ],
  },
}))
