import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { states } from './states/catalogue.ts'
import { startVisits } from './states/visits.ts'

const folder = join(import.meta.dirname, '../screenshots')
/** Pages that are open at a time. */
const AT_A_TIME = 4
const DESK = { width: 1440, height: 900 }
const looks = (['desk', 'phone'] as const).flatMap((size) =>
  (['light', 'dark'] as const).map((colorScheme) => ({ size, colorScheme })),
)

const { only } = parseArgs({ options: { only: { type: 'string', multiple: true } } }).values
const pictures = states
  .filter(({ name }) => only === undefined || only.includes(name))
  .flatMap((state) => looks.map((look) => ({ state, ...look })))
  .filter(({ state, size }) => state.only === undefined || state.only === size)
const queue = pictures.values()
const visits = await startVisits()
try {
  await mkdir(folder, { recursive: true })
  await Promise.all(Array.from({ length: AT_A_TIME }, takePictures))
} finally {
  await visits.close()
}

/** A state that can't be shown costs its own picture only. */
async function takePictures(): Promise<void> {
  for (const picture of queue) {
    const file = `${picture.state.name}-${picture.size}-${picture.colorScheme}.png`
    try {
      await takePicture(picture, file)
      console.log(`screenshots/${file}`)
    } catch (error) {
      process.exitCode = 1
      console.error(`screenshots/${file} failed:`, error)
    }
  }
}

function takePicture({ state, size, colorScheme }: (typeof pictures)[number], file: string): Promise<void> {
  return visits.visit({
    state,
    size,
    colorScheme,
    ...(size === 'desk' ? { viewport: DESK } : {}),
    act: async (page) => {
      await page.screenshot({ path: join(folder, file), animations: 'disabled' })
    },
  })
}
