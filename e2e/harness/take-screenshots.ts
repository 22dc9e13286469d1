import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type Screenshot, screenshots } from '../screenshots.ts'
import { type Api, createApi } from './api.ts'
import { type BrowserOptions, openBrowser } from './browser.ts'
import { seed } from './seed.ts'
import { startServer } from './server.ts'

const folder = join(import.meta.dirname, '../../screenshots')
const themes = ['light', 'dark'] as const
const viewports = {
  desk: { width: 1440, height: 900 },
  phone: { width: 390, height: 844 },
}
const settleTimeoutMs = 10_000

interface Sitting {
  url: string
  api: Api
  firstPromptId: number | undefined
  pictures: Screenshot[]
  theme: (typeof themes)[number]
  size: keyof typeof viewports
}

const { only } = parseArgs({ options: { only: { type: 'string', multiple: true } } }).values
const pictures = screenshots.filter(({ name }) => only === undefined || only.includes(name))
const server = await startServer()
try {
  const api = createApi(server.url)
  const { promptIds } = await seed(api)
  await mkdir(folder, { recursive: true })
  for (const theme of themes) {
    for (const size of ['desk', 'phone'] as const) {
      await sit({ url: server.url, api, firstPromptId: promptIds[0], pictures, theme, size })
    }
  }
} catch (error) {
  console.error(server.logs())
  throw error
} finally {
  await server.dispose()
}

/** Takes all pictures of one theme and size in one browser. */
async function sit({ url, api, firstPromptId, pictures, theme, size }: Sitting): Promise<void> {
  const look: BrowserOptions = { colorScheme: theme, viewport: viewports[size] }
  const { context, close } = await openBrowser(look)
  try {
    await context.addInitScript(`localStorage.setItem('catenary.theme', '${theme}')`)
    for (const picture of pictures) {
      await context.clearCookies()
      if (!picture.signedOut) await context.addCookies(api.cookies())
      const page = await context.newPage()
      await page.goto(url + picture.path.replace(':prompt', String(firstPromptId)))
      await page.waitForLoadState('networkidle', { timeout: settleTimeoutMs })
      await picture.prepare?.(page)
      await page.evaluate(() => document.fonts.ready)
      const file = `${picture.name}-${size}-${theme}.png`
      await page.screenshot({ path: join(folder, file), animations: 'disabled' })
      console.log(`screenshots/${file}`)
      await page.close()
    }
  } finally {
    await close()
  }
}
