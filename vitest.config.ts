import { defineConfig } from 'vitest/config'

/** Two projects: everything that runs in Node (on both databases), and the web app's components in jsdom. */
export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'node',
          include: ['packages/**/*.test.ts', 'apps/server/**/*.test.ts', 'scripts/**/*.test.ts'],
          environment: 'node',
          globalSetup: 'apps/server/src/testing/database-service.ts',
          testTimeout: 30_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'web',
          include: ['apps/web/**/*.test.{ts,tsx}'],
          environment: 'jsdom',
          setupFiles: ['apps/web/src/testing/set-up.ts'],
          testTimeout: 30_000,
        },
      },
    ],
  },
})
