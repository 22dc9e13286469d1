import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { states } from './states/catalogue.ts'
import { startVisits } from './states/visits.ts'

const folder = join(import.meta.dirname, '../docs/guide/images')
/** Small enough for a page, large enough for its letters. */
const VIEWPORT = { width: 1280, height: 760 }
const QUALITY = 60
const PATIENCE_MS = 20_000

/** The state that a picture shows, and what must be seen in it: places, and a text in each. */
interface Picture {
  state: string
  filled: Readonly<Record<string, RegExp>>
}

const ANSWER = '.rich-text :is(p, h2, li)'
const PICTURES: Readonly<Record<string, Picture>> = {
  library: {
    state: 'library',
    filled: { 'main article': /Private.*grace/, 'nav a[href="/chains"]': /\d/ },
  },
  run: {
    state: 'execute-done',
    filled: { [`figure[aria-label="AI response"] ${ANSWER}`]: /Dear Grace/ },
  },
  chain: {
    state: 'chain-answered',
    filled: {
      'aside[aria-label=Runs] section': /completed.*\$0/,
      [`figure[aria-label="Last Execution Result"] ${ANSWER}`]: /on time/,
    },
  },
  schedule: {
    state: 'schedule-run-weekly',
    filled: { '[role=dialog] li': /in [\d,]+ days/, 'aside[aria-label=Runs] section': /step 2 of 5/ },
  },
  evaluation: { state: 'evaluation', filled: { 'main tbody td': /Pass/, 'main thead': /v7/ } },
  usage: { state: 'usage', filled: { 'main dl': /3,116/, 'main svg': /Nov \d/ } },
}

// Takes the guide's pictures, each in both themes.
const visits = await startVisits()
try {
  await mkdir(folder, { recursive: true })
  for (const [name, { state: stateName, filled }] of Object.entries(PICTURES)) {
    const state = states.find((state) => state.name === stateName)
    if (!state) throw new Error(`There is no state ${stateName}.`)
    for (const colorScheme of ['light', 'dark'] as const) {
      const file = `${name}${colorScheme === 'dark' ? '-dark' : ''}.webp`
      const act = async (page: Page) => {
        await expectFilled(page, filled)
        await writeFile(join(folder, file), await pictureOf(page))
      }
      await visits.visit({ state, size: 'desk', colorScheme, viewport: VIEWPORT, act })
      console.log(`docs/guide/images/${file}`)
    }
  }
} finally {
  await visits.close()
}

/** A picture of an empty panel or of a text that is not laid out yet is none. */
async function expectFilled(page: Page, filled: Picture['filled']): Promise<void> {
  for (const [place, hasText] of Object.entries(filled)) {
    const shown = page.locator(place).filter({ hasText, visible: true }).first()
    await shown.waitFor({ timeout: PATIENCE_MS })
  }
  const loading = page.locator('main').locator('.animate-late, .animate-spin').first()
  await loading.waitFor({ state: 'hidden', timeout: PATIENCE_MS })
}

/** Playwright itself writes PNG and JPEG alone, several times as large. */
async function pictureOf(page: Page): Promise<Buffer> {
  const session = await page.context().newCDPSession(page)
  const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality: QUALITY })
  await session.detach()
  return Buffer.from(data, 'base64')
}
