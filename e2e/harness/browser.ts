import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Browser, type BrowserContext, chromium } from 'playwright-core'
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
  const profile = await mkdtemp(join(tmpdir(), 'catenary-browser-'))
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: browserPath(),
    args: debuggingPort === undefined ? flags : [...flags, `--remote-debugging-port=${debuggingPort}`],
    headless: true,
    locale: 'en-US',
    timezoneId: 'UTC',
    viewport: { width: 1440, height: 900 },
    reducedMotion: 'reduce',
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

/** Starts Chromium without a profile, for several contexts beside each other. */
export function launchBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: browserPath(), args: flags, headless: true })
}

function browserPath(): string {
  const path = findBrowser()
  if (path === undefined) {
    throw new Error('No Chromium or Chrome found. `npm test` fetches one; or set CHROMIUM_PATH.')
  }
  return path
}
