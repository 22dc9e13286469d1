import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright-core'
import { type Size, settle } from '../states/visits.ts'
import { showTheme } from './themes.ts'

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
/** Controls, and what tells those inside it that the pointer is over it. */
const REACTING = 'a[href], button:enabled, [role=option], [role^=menuitem], [class*="group/"]'

/** What axe finds in light and in dark, at rest and under a pointer; the page follows the system's theme. */
export async function findViolations({
  page,
  size,
}: {
  page: Page
  size: Size
}): Promise<{ light: string[]; dark: string[] }> {
  const light = await analyse({ page, source, options: ALL_RULES })
  light.push(...(await analyseHovered({ page, size })))
  await showTheme(page, 'dark')
  const dark = await analyse({ page, source: THERE_ALREADY, options: COLOUR_RULES })
  dark.push(...(await analyseHovered({ page, size })))
  return { light, dark }
}

/** Fingers point at nothing. */
async function analyseHovered({ page, size }: { page: Page; size: Size }): Promise<string[]> {
  if (size === 'phone') return []
  const leave = await pointAtEverything(page)
  const found = await analyse({ page, source: THERE_ALREADY, options: COLOUR_RULES })
  await leave()
  await settle(page)
  return found.map((violation) => `hovered: ${violation}`)
}

/** Hovered elements have other colours: everything that reacts to a pointer, at the same moment. */
async function pointAtEverything(page: Page): Promise<() => Promise<void>> {
  const session = await page.context().newCDPSession(page)
  await session.send('DOM.enable')
  await session.send('CSS.enable')
  const { root } = await session.send('DOM.getDocument')
  const { nodeIds } = await session.send('DOM.querySelectorAll', { nodeId: root.nodeId, selector: REACTING })
  const forcedPseudoClasses = ['hover']
  // What disappears meanwhile, such as a toast, can't be pointed at.
  await Promise.allSettled(
    nodeIds.map((nodeId) => session.send('CSS.forcePseudoState', { nodeId, forcedPseudoClasses })),
  )
  await settle(page)
  return () => session.detach()
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
