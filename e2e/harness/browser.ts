import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Browser, type BrowserContext, chromium } from 'playwright-core'
import { findBrowser } from '../../scripts/lib/browser.mjs'

/** The variable that says where the run's browser is, for journeys to share. */
const SHARED_BROWSER = 'CATENARY_SHARED_BROWSER'

/** A name that leads to this machine and is, unlike `localhost`, no secure origin: as in a home network. */
export const PLAIN_HOST = 'catenary.test'

const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-dev-shm-usage',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
  `--host-resolver-rules=MAP ${PLAIN_HOST} 127.0.0.1`,
]

const look = {
  locale: 'en-US',
  timezoneId: 'UTC',
  viewport: { width: 1440, height: 900 },
  reducedMotion: 'reduce',
} as const

export interface BrowserOptions {
  viewport?: { width: number; height: number }
  colorScheme?: 'light' | 'dark'
  /** For a tool that drives the browser from outside. */
  debuggingPort?: number
}

export interface OpenBrowser {
  context: BrowserContext
  /** Closes it and forgets what it stored. */
  close(): Promise<void>
}

/** A fresh browser: a context of the run's Chromium, or one with its own profile. */
export function openBrowser(options: BrowserOptions = {}): Promise<OpenBrowser> {
  const endpoint = process.env[SHARED_BROWSER]
  return endpoint === undefined ? startOwn(options) : takePart({ endpoint, options })
}

async function takePart({
  endpoint,
  options,
}: {
  endpoint: string
  options: BrowserOptions
}): Promise<OpenBrowser> {
  const browser = await chromium.connect(endpoint)
  const context = await browser.newContext({ ...look, ...options })
  return { context, close: () => browser.close() }
}

async function startOwn({ debuggingPort, ...options }: BrowserOptions): Promise<OpenBrowser> {
  const profile = await mkdtemp(join(tmpdir(), 'catenary-browser-'))
  const context = await chromium.launchPersistentContext(profile, {
    ...launching(),
    args: debuggingPort === undefined ? flags : [...flags, `--remote-debugging-port=${debuggingPort}`],
    ...look,
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
  return chromium.launch({ ...launching(), args: flags })
}

/** One Chromium for all journeys of a run: starting it takes a second of the processor. */
export async function shareBrowser(): Promise<() => Promise<void>> {
  const server = await chromium.launchServer({ ...launching(), args: flags })
  // Test files run in processes that inherit the environment.
  process.env[SHARED_BROWSER] = server.wsEndpoint()
  return () => server.close()
}

function launching() {
  const executablePath = findBrowser()
  if (executablePath === undefined) {
    throw new Error('No Chromium or Chrome found. `npm test` fetches one; or set CHROMIUM_PATH.')
  }
  return { executablePath, headless: true }
}
