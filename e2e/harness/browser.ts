import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type BrowserContext, chromium } from 'playwright-core'
import { findBrowser } from '../../scripts/lib/browser.mjs'

const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-dev-shm-usage',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
]

export interface BrowserOptions {
  viewport?: { width: number; height: number }
  colorScheme?: 'light' | 'dark'
  /** For a tool that drives the browser from outside. */
  debuggingPort?: number
}

export interface OpenBrowser {
  context: BrowserContext
  /** Closes the browser and removes its profile. */
  close(): Promise<void>
}

/** Starts Chromium with a profile of its own. */
export async function openBrowser({ debuggingPort, ...options }: BrowserOptions = {}): Promise<OpenBrowser> {
  const executablePath = findBrowser()
  if (executablePath === undefined) {
    throw new Error('No Chromium or Chrome found. `npm test` fetches one; or set CHROMIUM_PATH.')
  }
  const profile = await mkdtemp(join(tmpdir(), 'catenary-browser-'))
  const context = await chromium.launchPersistentContext(profile, {
    executablePath,
    args: debuggingPort === undefined ? flags : [...flags, `--remote-debugging-port=${debuggingPort}`],
    headless: true,
    locale: 'en-US',
    timezoneId: 'UTC',
    viewport: { width: 1440, height: 900 },
    ...options,
  })
  return {
    context,
    close: async () => {
      await context.close()
      await rm(profile, { recursive: true, force: true, maxRetries: 3 })
    },
  }
}
