import { defineConfig, mergeConfig } from 'vitest/config'
import base from './base.config.ts'

/** Whole journeys in a browser, which they share. Each is right at the first try: what fails once is broken. */
export default mergeConfig(
  base,
  defineConfig({
    test: {
      name: 'journeys',
      globalSetup: ['./harness/shared-browser.ts'],
      include: ['**/*.journey.ts'],
      // More of them at once starve each other on two cores.
      maxWorkers: 2,
    },
  }),
)
