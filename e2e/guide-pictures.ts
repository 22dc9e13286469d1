import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { states } from './states/catalogue.ts'
import { startVisits } from './states/visits.ts'

const folder = join(import.meta.dirname, '../docs/guide/images')
/** Small enough for a page, large enough for its letters. */
const VIEWPORT = { width: 1280, height: 760 }
const QUALITY = 60
/** The guide's pictures: the states that they show. */
const PICTURES = {
  library: 'library',
  run: 'execute-done',
  chain: 'chain',
  schedule: 'schedule-run-weekly',
  evaluation: 'evaluation',
  usage: 'usage',
}

// Takes the guide's pictures, each in both themes.
const visits = await startVisits()
try {
  await mkdir(folder, { recursive: true })
  for (const [name, stateName] of Object.entries(PICTURES)) {
    const state = states.find((state) => state.name === stateName)
    if (!state) throw new Error(`There is no state ${stateName}.`)
    for (const colorScheme of ['light', 'dark'] as const) {
      const file = `${name}${colorScheme === 'dark' ? '-dark' : ''}.webp`
      const act = async (page: Page) => writeFile(join(folder, file), await pictureOf(page))
      await visits.visit({ state, size: 'desk', colorScheme, viewport: VIEWPORT, act })
      console.log(`docs/guide/images/${file}`)
    }
  }
} finally {
  await visits.close()
}

/** Playwright itself writes PNG and JPEG alone, several times as large. */
async function pictureOf(page: Page): Promise<Buffer> {
  const session = await page.context().newCDPSession(page)
  const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality: QUALITY })
  await session.detach()
  return Buffer.from(data, 'base64')
}
