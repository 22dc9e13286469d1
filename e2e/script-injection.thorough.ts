import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createApi } from './harness/api.ts'
import { PATIENCE } from './harness/screen.ts'
import { seedAccount } from './harness/seed.ts'
import { plantChainNames, plantChainRuns } from './injection/chains.ts'
import { goTo, inWatchedPage, run, scrollThrough, type WatchedPage } from './injection/pages.ts'
import { injectionPayloads } from './injection/payloads.ts'
import {
  visitAddresses,
  visitAnswers,
  visitChainRuns,
  visitHistory,
  visitPromptForms,
  visitRuns,
  visitVariableForms,
} from './injection/places.ts'
import {
  type InjectionStage,
  inChunks,
  inGroups,
  logInFrom,
  openInjectionStage,
  plantNames,
} from './injection/stage.ts'
import { plantTokens } from './injection/tokens.ts'
import { findUnsafeMarkup, findUnsafePreview } from './injection/watch.ts'
import { alone, together } from './injection/wraps.ts'

const SELECTIONS_PAGE = 20

const LEAST_PAYLOADS = 150
/** How many of them are short enough for a name. */
const LEAST_NAMES = 100
/** Where each payload needs a page of its own, every so many-th has one here; `script-injection-singly` has them all. */
const EVERY = 15
const AT_A_TIME = 25

let stage: InjectionStage
beforeAll(async () => {
  stage = await openInjectionStage()
})
afterAll(() => stage?.close())

test('At least 150 script-injection payloads are tried; what they would do is noticed when it happens.', () => {
  expect(injectionPayloads.length).toBeGreaterThanOrEqual(LEAST_PAYLOADS)
})

test('what is watched for is seen when it happens', () =>
  inPage('/', async ({ page, incidents }) => {
    const seen = () => incidents.join('\n')
    await page.getByRole('article').first().waitFor()
    await page.evaluate(() => {
      const foreign =
        '<p class="rich-text"><img src="x" onerror="alert(1)"><a href="javascript:alert(1)">x</a>' +
        '<b id="root" class="fixed">x</b></p>'
      document.querySelector('main')?.insertAdjacentHTML('beforeend', foreign)
    })
    await expect.poll(seen, PATIENCE).toContain('the policy was breached: script-src')
    await page.evaluate('alert(1)')
    await expect.poll(seen, PATIENCE).toContain('alert was called')
    await page.evaluate(() => void Object.assign(new Image(), { src: 'https://evil.example/i.png' }))
    await expect.poll(seen, PATIENCE).toContain('a request to https://evil.example/i.png')
    const rules = new Set((await findUnsafeMarkup(page)).map((each) => each.split(':')[0]))
    const attributes = ['onerror', 'href', 'leads elsewhere', 'is not set apart']
    expect(rules).toEqual(new Set([...attributes, 'is no text', 'takes an id', 'takes a class']))
  }))

describe.concurrent('No script of a title, content, category, tag or variable runs, and no policy is breached.', () => {
  const some = () => stage.planted.filter((_, index) => index % EVERY === 0)

  test("in a prompt's form", ({ expect }) =>
    inPage('/', (watched) => visitPromptForms({ ...watched, expect, stage, planted: some() })))

  test("in a variable's form", ({ expect }) =>
    inPage('/', (watched) => visitVariableForms({ ...watched, expect, stage, planted: some() })))

  test("as a run's text and value, and as its answer", ({ expect }) =>
    inPage('/', (watched) => visitRuns({ ...watched, expect, stage, planted: some() })))

  test('in an address', ({ expect }) =>
    inPage('/', (watched) => visitAddresses({ ...watched, expect, stage, planted: some() })))

  test("in a model's answer while it is written", ({ expect }) =>
    inPage('/', async (watched) => {
      const kind = 'written slowly'
      await visitAnswers({ ...watched, expect, stage, planted: some(), kind, wrap: alone[kind] })
    }))

  test.for(['in text', 'in HTML'] as const)(
    'in the history, each in its own answer, %s',
    (kind, { expect }) =>
      inPage('/', async (watched) => {
        const promptId = stage.planted[kind === 'in text' ? 1 : 2]?.promptId ?? 0
        const { planted } = stage
        await visitHistory({ ...watched, expect, stage, planted, kind, wrap: alone[kind], promptId })
      }),
  )

  test.for(Object.entries(together))(
    'No script of a model’s answer or refusal runs, in any kind of content that the viewer knows. (%s)',
    ([kind, wrap]) =>
      inPage(`/execute/${stage.planted[0]?.promptId}`, async ({ page, expectCalm }) => {
        for (const group of inChunks(stage.planted, AT_A_TIME)) {
          const key = `run-${kind.replaceAll(' ', '')}-${group[0]?.promptId}`
          stage.answer(key, wrap.answer(group.map(({ payload }) => payload)))
          await run({ page, key })
          await page.locator(wrap.shownIn).first().waitFor({ state: 'attached' })
          await expectCalm()
        }
      }),
  )

  test('in the preview of an answer in HTML', ({ expect }) =>
    inPage(`/execute/${stage.planted[0]?.promptId}`, async ({ page, incidents }) => {
      for (const group of inChunks(stage.planted, AT_A_TIME)) {
        const key = `run-preview-${group[0]?.promptId}`
        const kind = together['in a document of its own']
        stage.answer(key, kind.answer(group.map(({ payload }) => payload)))
        await run({ page, key })
        await page
          .getByRole('figure', { name: 'AI response' })
          .getByRole('button', { name: 'Preview' })
          .click()
        await page.frameLocator('iframe').locator('body').waitFor({ state: 'attached' })
        expect(await findUnsafePreview(page)).toEqual([])
        expect(incidents.filter((incident) => incident !== 'a frame was added')).toEqual([])
      }
    }))

  test("in a refusal by a model's provider", () =>
    inPage(`/execute/${stage.planted[0]?.promptId}`, async ({ page, expectCalm }) => {
      for (const group of inChunks(stage.planted, AT_A_TIME)) {
        const key = `run-refused-${group[0]?.promptId}`
        stage.refuse(key, group.map(({ payload }) => payload).join('\n'))
        await run({ page, key, ending: 'Failed' })
        await expectCalm()
      }
    }))

  test('No script of an address, a device’s name or the browser’s log runs.', () =>
    inPage('/', async ({ page, expectCalm }) => {
      for (const { payload } of stage.planted.slice(18, 26)) {
        await logInFrom({ stage, userAgent: payload.replace(/\s/g, ' ') })
        await goTo(page, `/${encodeURIComponent(payload)}`)
      }
      await page.goto(`${stage.server.url}/settings/sessions`)
      await page.getByRole('list', { name: 'Sessions' }).getByRole('listitem').nth(8).waitFor()
      await expectCalm()
      await page.goto(`${stage.server.url}/test-dashboard.html`)
      await page.getByRole('list', { name: 'Entries' }).waitFor()
      await expectCalm()
    }))
})

describe('No script of a chain’s name, description, steps or results runs.', () => {
  test("as a step's title and content, and as what a run of it brought", async () => {
    const chains = await plantChainRuns(stage)
    await inPage('/', (watched) => visitChainRuns({ ...watched, expect, chains, every: EVERY }))
  })

  test("as a chain's name and description", async () => {
    const names = await plantChainNames(stage)
    await inPage('/chains', async ({ page, expectCalm }) => {
      const seen = await scrollThrough({ page, expectCalm, entry: '[aria-label="Chains"] article' })
      expect([...seen]).toEqual(expect.arrayContaining(names))
    })
  })
})

describe('no payload does anything in what is said of tokens', () => {
  test("as a token's name, and as a request that a chain was chosen for", async () => {
    const { chainId, names } = await plantTokens(stage)
    await inPage(`/chains/${chainId}`, async ({ page, expectCalm }) => {
      await expect.poll(() => page.locator('[data-token-id]').count(), PATIENCE).toBe(names.length)
      await expectCalm()
    })
    await inPage('/chains', async ({ page, expectCalm }) => {
      const selections = page.locator('[data-selection-id]')
      for (let shown = SELECTIONS_PAGE; shown < stage.planted.length; shown += SELECTIONS_PAGE) {
        await expect.poll(() => selections.count(), PATIENCE).toBe(shown)
        await page.getByRole('button', { name: 'Show older selections' }).click()
      }
      await expect.poll(() => selections.count(), PATIENCE).toBe(stage.planted.length)
      await selections.evaluateAll((all) => {
        for (const item of all) item.querySelector('button')?.click()
      })
      await expectCalm()
    })
  })
})

describe('no payload does anything as a title, a category or a tag', () => {
  beforeAll(() => plantNames(stage))

  test.for(['grid', 'list'])("in the library's %s and its menus", (view) =>
    inPage(`/?view=${view}`, async ({ page, expectCalm }) => {
      const titles = await scrollThrough({ page, expectCalm, entry: '[aria-label="Prompts"] article' })
      expect(titles).toEqual(new Set(stage.planted.map(({ payload }) => payload.trim())))
      for (const [name, role] of [
        [/^Category: /, 'menu'],
        [/^Tags$/, 'dialog'],
      ] as const) {
        await page.getByRole('button', { name }).first().click()
        await page.getByRole(role).waitFor()
        await expectCalm()
        await page.keyboard.press('Escape')
      }
      await expectCalm()
    }),
  )

  test('in the list of variables and in the palette', () =>
    inPage('/variables', async ({ page, expectCalm }) => {
      const names = await scrollThrough({ page, expectCalm, entry: 'tbody tr:has(button)' })
      expect(names).toEqual(new Set(stage.planted.map(({ name }) => name)))
      for (const text of ['<', 'alert', 'javascript', '](']) {
        await page.keyboard.press('Control+k')
        await page.getByRole('combobox', { name: 'Command palette' }).fill(text)
        await page.getByRole('option').first().waitFor()
        await expectCalm()
        await page.keyboard.press('Escape')
        await page.getByRole('dialog').waitFor({ state: 'detached' })
      }
    }))

  test('in what forms offer', () =>
    inPage('/', async ({ page, expectCalm }) => {
      for (const path of ['/?prompt=new', '/variables?variable=new']) {
        await goTo(page, path)
        await page.locator('datalist option').nth(LEAST_NAMES).waitFor({ state: 'attached' })
        await expectCalm()
      }
      await goTo(page, '/?prompt=new')
      await page.getByRole('combobox', { name: 'Category' }).click()
      await page.getByRole('option').nth(LEAST_NAMES).waitFor()
      await expectCalm()
    }))
})

test('Links of an answer lead to the web or to mail only, kept apart from the page.', () =>
  inPage(`/execute/${stage.planted[0]?.promptId}`, async ({ page, expectCalm }) => {
    const allowed = ['https://a.example/', 'http://a.example/', 'mailto:a@a.example']
    const refused = ['javascript:alert(1)', 'data:text/html,x', 'xmpp:a@a.example', 'irc://a.example']
    const links = [...allowed, ...refused, 'ftp://a.example']
    const html = links.map((link) => `<a href="${link}" rel="opener">x</a>`).join('')
    stage.answer('run-markdown-0', links.map((link) => `[x](${link})`).join('\n\n'))
    stage.answer('run-html-0', `<div>${html}</div>`)
    for (const key of ['run-markdown-0', 'run-html-0']) {
      await run({ page, key })
      const shown = page.locator('figure .rich-text a[href]')
      const addresses = () => shown.evaluateAll((all) => all.map((each) => each.getAttribute('href')))
      await expect.poll(addresses, PATIENCE).toEqual(allowed)
      await expectCalm()
    }
  }))

test('No script can be an account’s name.', async () => {
  const { password } = seedAccount
  const guest = createApi(stage.server.url)
  const accepted = await inGroups(injectionPayloads, async (payload) => {
    const byName = { username: payload, email: 'x@example.org', password }
    const byAddress = { username: 'someone', email: `${payload}@example.org`, password }
    const replies = [
      await guest.call('POST', '/api/register', byName),
      await guest.call('POST', '/api/register', byAddress),
    ]
    return replies.some(({ status }) => status < 400) ? payload : ''
  })
  expect(accepted.filter((payload) => !/^\w*$/.test(payload))).toEqual([])
})

/** Does something in a page of its own. */
function inPage(path: string, act: (watched: WatchedPage) => Promise<void>): Promise<void> {
  return inWatchedPage({ stage, path, act })
}
