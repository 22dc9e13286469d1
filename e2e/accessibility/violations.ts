import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright-core'
import { settle } from '../states/visits.ts'

type Options = Parameters<AxeBuilder['options']>[0]

const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']
const ALL_RULES: Options = { runOnly: TAGS, resultTypes: ['violations'] }
/** A theme changes colours and nothing else, so the second one is asked for those only. */
const COLOUR_RULES: Options = {
  runOnly: { type: 'rule', values: ['color-contrast', 'link-in-text-block'] },
  resultTypes: ['violations'],
}
/** The small build is read in half the time. */
const SOURCE = createRequire(import.meta.resolve('@axe-core/playwright')).resolve('axe-core/axe.min.js')
const source = readFileSync(SOURCE, 'utf8')
const THERE_ALREADY = ';'

/** What axe finds in light and in dark; the page follows the system's theme. */
export async function findViolations(page: Page): Promise<{ light: string[]; dark: string[] }> {
  const light = await analyse({ page, source, options: ALL_RULES })
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.waitForFunction(() => (document.documentElement.dataset.theme ?? 'dark') === 'dark')
  await settle(page)
  const dark = await analyse({ page, source: THERE_ALREADY, options: COLOUR_RULES })
  return { light, dark }
}

async function analyse({ page, source, options }: { page: Page; source: string; options: Options }) {
  const axe = new AxeBuilder({ page, axeSource: source }).options(options).setLegacyMode()
  const { violations } = await axe.analyze()
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(
      ({ html, any, all, none }) =>
        `${id}: ${[...any, ...all, ...none].map(({ message }) => message).join(' ')} ${html.slice(0, 200)}`,
    ),
  )
}
