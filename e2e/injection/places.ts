import { HISTORY_PAGE } from '@catenary/contracts'
import type { ExpectStatic } from 'vitest'
import { PATIENCE } from '../harness/screen.ts'
import type { PlantedChain } from './chains.ts'
import { goTo, run, type WatchedPage } from './pages.ts'
import { type InjectionStage, inGroups, type Planted } from './stage.ts'
import type { alone } from './wraps.ts'

/** A search that leaves the list behind a dialog empty, and the dialog quick. */
const NOTHING = 'zeppelin'
/** Runs of the history that are open at a time. */
const OPEN_AT_A_TIME = 25

/** A watched page, and whose payloads it is to show. */
export interface PlaceVisit extends WatchedPage {
  /** The test's own, as tests run beside each other. */
  expect: ExpectStatic
  stage: InjectionStage
  planted: readonly Planted[]
}

/** Opens each payload's prompt in its form. */
export async function visitPromptForms({ page, expect, expectCalm, planted }: PlaceVisit): Promise<void> {
  for (const { payload, promptId, name } of planted) {
    await goTo(page, `/?search=${NOTHING}&prompt=${promptId}`)
    const dialog = page.getByRole('dialog', { name: 'Edit Prompt' })
    const title = dialog.getByLabel('Title', { exact: true })
    await expect.poll(() => title.inputValue(), PATIENCE).toBe(payload.trim().replaceAll('\n', ''))
    const content = dialog.getByRole('textbox', { name: 'Content' })
    await expect.poll(() => content.textContent(), PATIENCE).toContain(`$<${name}>`)
    await expectCalm()
  }
  await page.getByRole('textbox', { name: 'Content' }).click()
  await page.keyboard.type(' $<p')
  await page.getByRole('listbox').waitFor()
  await expectCalm()
}

/** Opens each payload's variable in its form. */
export async function visitVariableForms({ page, expect, expectCalm, planted }: PlaceVisit): Promise<void> {
  for (const { name, variableId } of planted) {
    await goTo(page, `/variables?search=${NOTHING}&variable=${variableId}`)
    const dialog = page.getByRole('dialog', { name: 'Edit Variable' })
    await expect.poll(() => dialog.getByLabel('Name', { exact: true }).inputValue(), PATIENCE).toBe(name)
    await expectCalm()
  }
}

/** Runs each payload's prompt, which the model answers with the payload. */
export async function visitRuns({ page, expect, expectCalm, stage, planted }: PlaceVisit): Promise<void> {
  for (const { payload, name, promptId } of planted) {
    await goTo(page, `/execute/${promptId}`)
    await expect.poll(() => page.getByLabel(name, { exact: true }).inputValue(), PATIENCE).toBe(payload)
    const key = `run-own-${promptId}`
    stage.answer(key, payload)
    await run({ page, key })
    await expectCalm()
  }
}

/** Has each payload in each part of an address. */
export async function visitAddresses({ page, expectCalm, planted }: PlaceVisit): Promise<void> {
  for (const { payload, promptId } of planted) {
    const text = encodeURIComponent(payload)
    await goTo(page, `/?search=${text}&view=${text}&tags=${text}`)
    await goTo(page, `/execute/${promptId}?model=${text}&tab=${text}`)
    await goTo(page, `/execute/${text}`)
    await goTo(page, `/${text}`)
    await page.getByRole('heading', { name: '404 Page Not Found' }).waitFor()
    await expectCalm()
  }
}

interface AnswerVisit extends PlaceVisit {
  kind: keyof typeof alone
  wrap: (typeof alone)[keyof typeof alone]
}

/** Has a prompt answered with each payload, one run after the other. */
export async function visitAnswers({ page, expectCalm, stage, planted, kind, wrap }: AnswerVisit) {
  await goTo(page, `/execute/${planted[0]?.promptId}`)
  for (const { payload, promptId } of planted) {
    const key = `run-${kind.replaceAll(' ', '')}-${promptId}`
    stage.answer(key, wrap.answer(payload))
    await run({ page, key })
    await page.locator(wrap.shownIn).first().waitFor({ state: 'attached' })
    await expectCalm()
  }
}

/** Has a prompt's history hold a run for each payload, and opens them all, each in a viewer of its own. */
export async function visitHistory(visit: AnswerVisit & { promptId: number }): Promise<void> {
  const { page, expect, expectCalm, stage, planted, kind, wrap, promptId } = visit
  await inGroups(planted, async ({ payload, ...each }) => {
    const key = `run-kept${kind.replaceAll(' ', '')}-${each.promptId}`
    stage.answer(key, wrap.answer(payload))
    const inputs = { template: payload, userInput: `${payload}\n${key}`, systemPrompt: payload }
    await stage.api.post('/api/execute-prompt', { promptId, ...inputs })
  })
  await goTo(page, `/execute/${promptId}?history=open`)
  const rows = page.locator('[data-execution-id] button[aria-controls$="-entry"]')
  for (let shown = HISTORY_PAGE; shown < planted.length; shown += HISTORY_PAGE) {
    await expect.poll(() => rows.count(), PATIENCE).toBe(shown)
    await page.getByRole('button', { name: 'Show older runs' }).click()
  }
  await expect.poll(() => rows.count(), PATIENCE).toBe(planted.length)
  const toggle = (from: number) =>
    rows.evaluateAll(
      (all, [from, to]) => {
        for (const row of all.slice(from, to)) (row as HTMLElement).click()
      },
      [from, from + OPEN_AT_A_TIME] as const,
    )
  const answers = page.getByRole('figure', { name: 'AI response' }).locator('.rich-text')
  for (let from = 0; from < planted.length; from += OPEN_AT_A_TIME) {
    await toggle(from)
    await expect.poll(() => answers.count(), PATIENCE).toBe(Math.min(OPEN_AT_A_TIME, planted.length - from))
    await expectCalm()
    await toggle(from)
  }
}

interface ChainVisit extends Pick<PlaceVisit, 'page' | 'expectCalm' | 'expect'> {
  chains: readonly PlantedChain[]
  /** Opens every so many-th step. */
  every: number
}

/** Shows each chain with its run, and opens what went into its steps and what came out. */
export async function visitChainRuns({ page, expect, expectCalm, chains, every }: ChainVisit) {
  for (const { id, runId, planted } of chains) {
    await goTo(page, `/chains/${id}?run=${runId}`)
    const done = page.getByRole('button', { name: /^done/ })
    await expect.poll(() => done.count(), PATIENCE).toBe(planted.length)
    await expectCalm()
    for (let index = 0; index < planted.length; index += every) {
      await done.nth(index).click()
      await page.getByRole('figure', { name: 'Output' }).locator('.rich-text').waitFor({ state: 'attached' })
      await expectCalm()
      await page.getByRole('button', { name: 'Rendered input' }).click()
      await expectCalm()
      await done.nth(index).click()
    }
  }
}
